# %% wrong: target_table_of_source_size | TRUE CAUSE: The target's embedding is made with src_vocab rows instead of tgt_vocab.
class Transformer(nn.Module):
    """Foretell each next token of a target, (N, T), from a source, (N, S) (Figure 1).

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
            TokenEmbedding(src_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
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

# %% wrong: shared_is_a_copy | TRUE CAUSE: The shared matrix is a new nn.Parameter with a copy of the source embedding's numbers, so the source embedding itself is not tied.
class Transformer(nn.Module):
    """Foretell each next token of a target, (N, T), from a source, (N, S) (Figure 1).

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
        self.tgt_embed = nn.Sequential(*(TokenEmbedding(tgt_vocab, d_model, pad_id=pad_id), kinds[positions](d_model, dropout=dropout, max_len=max_len)))
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
        decoded = self.decoder(x=self.tgt_embed(tgt), memory=memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, pad_id=self.pad_id)
        tgt_mask = target_mask(tgt, pad_id=self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: pad_is_zero | TRUE CAUSE: The masks take 0 as the padding id instead of the model's pad_id.
class Transformer(nn.Module):
    """Encoder-decoder model: ids in, log-probabilities out."""

    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        if positions == "sinusoidal":
            position_class = PositionalEncoding
        elif positions == "learned":
            position_class = LearnedPositionalEmbedding
        else:
            raise ValueError(f"unknown positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tied weights need one vocabulary")

        def embedding(vocab):
            return nn.Sequential(TokenEmbedding(vocab, d_model, pad_id), position_class(d_model, dropout, max_len))

        self.pad_id = pad_id
        self.src_embed = embedding(src_vocab)
        self.tgt_embed = embedding(tgt_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, 0), target_mask(tgt, 0)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, tgt_mask))

# %% wrong: leaky_mask_and_sinusoids | TRUE CAUSE: Two mistakes: the target's mask hides only padding and not the future; and the target always gets sinusoidal positions, also with positions="learned".
class Transformer(nn.Module):
    """Foretell each next token of a target, (N, T), from a source, (N, S) (Figure 1).

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
        tgt_mask = padding_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs
