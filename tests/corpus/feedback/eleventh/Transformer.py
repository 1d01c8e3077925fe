# %% wrong: target_positions_always_sinusoidal | TRUE CAUSE: tgt_embed uses PositionalEncoding instead of kinds[positions], so with positions="learned" the target still gets sinusoids and has no learned table
class Transformer(nn.Module):
    """Predict each next token of a target, (N, T), from a source, (N, S) (Figure 1).

    `positions` is "sinusoidal" or "learned". With `tie_weights` both embeddings and the last
    projection are one matrix (section 3.4).
    Raises ValueError for other positions, or to tie vocabularies of different sizes.
    """

    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=512,
        num_heads=8,
        num_layers=6,
        d_ff=2048,
        dropout=0.1,
        pad_id=0,
        norm_first=False,
        positions="sinusoidal",
        tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(
                "tie_weights needs one vocabulary for both languages, "
                f"but got src_vocab={src_vocab} and tgt_vocab={tgt_vocab}"
            )
        self.pad_id = pad_id

        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id),
            PositionalEncoding(d_model, dropout, max_len),
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs
# %% wrong: shared_is_a_copy_of_the_source_matrix | TRUE CAUSE: shared is a new nn.Parameter with cloned numbers, so target embedding and projection are tied to each other but the source embedding keeps a matrix of its own: two matrices instead of one
class Transformer(nn.Module):
    """Predict each next token of a target, (N, T), from a source, (N, S) (Figure 1).

    `positions` is "sinusoidal" or "learned". With `tie_weights` both embeddings and the last
    projection are one matrix (section 3.4).
    Raises ValueError for other positions, or to tie vocabularies of different sizes.
    """

    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=512,
        num_heads=8,
        num_layers=6,
        d_ff=2048,
        dropout=0.1,
        pad_id=0,
        norm_first=False,
        positions="sinusoidal",
        tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(
                "tie_weights needs one vocabulary for both languages, "
                f"but got src_vocab={src_vocab} and tgt_vocab={tgt_vocab}"
            )
        self.pad_id = pad_id

        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            shared = nn.Parameter(self.src_embed[0].embedding.weight.detach().clone())
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs
# %% wrong: own_norm_first_not_passed_to_decoder | TRUE CAUSE: norm_first is passed to the Encoder but left out at the Decoder, so with norm_first=True the decoder is still post-norm
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        if positions == "sinusoidal":
            place = PositionalEncoding
        elif positions == "learned":
            place = LearnedPositionalEmbedding
        else:
            raise ValueError("unknown positions: " + str(positions))
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("cannot tie vocabularies of different sizes")

        def embedding(vocab):
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), place(d_model, dropout, max_len)
            )

        self.pad_id = pad_id
        self.src_embed = embedding(src_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.tgt_embed = embedding(tgt_vocab)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        hide = padding_mask(src, self.pad_id)
        return self.generator(
            self.decode(tgt, self.encode(src, hide), hide, target_mask(tgt, self.pad_id))
        )
# %% wrong: own_source_encoded_without_mask | TRUE CAUSE: forward calls encode(src) without the padding mask (only the cross-attention gets it), so the encoder's words attend to padding and the predictions change with the amount of padding
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        pos = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}.get(positions)
        if pos is None:
            raise ValueError(f"positions={positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"{src_vocab} != {tgt_vocab}")
        sizes = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.pad_id = pad_id
        self.src_embed, self.tgt_embed = (
            nn.Sequential(TokenEmbedding(v, d_model, pad_id), pos(d_model, dropout, max_len))
            for v in (src_vocab, tgt_vocab)
        )
        self.encoder, self.decoder = Encoder(*sizes), Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            matrix = self.src_embed[0].embedding.weight
            for layer in (self.tgt_embed[0].embedding, self.generator.proj):
                layer.weight = matrix

    def encode(self, src, src_mask=None):
        x = self.src_embed(src)
        return self.encoder(x, src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        y = self.tgt_embed(tgt)
        return self.decoder(y, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        memory = self.encode(src)
        y = self.decode(
            tgt,
            memory,
            src_mask=padding_mask(src, self.pad_id),
            tgt_mask=target_mask(tgt, self.pad_id),
        )
        return self.generator(y)
