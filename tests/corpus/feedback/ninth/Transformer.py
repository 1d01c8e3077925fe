# %% wrong: positions_module_shared | TRUE CAUSE: the blank target_embedding reuses the source's position module self.src_embed[1] instead of making one, so with positions="learned" source and target share one table of positions (max_len * d_model parameters too few, the gradients mixed)
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
        self.tgt_embed = nn.Sequential(TokenEmbedding(tgt_vocab, d_model, pad_id), self.src_embed[1])
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
# %% wrong: tie_to_a_copy | TRUE CAUSE: the blank shared wraps a clone of the source embedding's weight in a new Parameter, so target embedding and projection share it, but the source embedding keeps a matrix of its own and is not tied
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
            shared = nn.Parameter(self.src_embed[0].embedding.weight.clone())
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
# %% wrong: own_decode_makes_default_masks | TRUE CAUSE: encode and decode make masks from the ids themselves when they are given None, although the text says that they hide nothing without a mask, so encode(src) hides padding and decode(tgt, memory) hides padding and the future
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        if positions == "sinusoidal":
            make_positions = PositionalEncoding
        elif positions == "learned":
            make_positions = LearnedPositionalEmbedding
        else:
            raise ValueError(f"unknown positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie vocabularies of {src_vocab} and {tgt_vocab} words")
        self.pad_id = pad_id

        def embed(vocab):
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), make_positions(d_model, dropout, max_len)
            )

        sizes = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed = embed(src_vocab)
        self.tgt_embed = embed(tgt_vocab)
        self.encoder = Encoder(*sizes)
        self.decoder = Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        if src_mask is None:
            src_mask = padding_mask(src, self.pad_id)
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            tgt_mask = target_mask(tgt, self.pad_id)
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        hidden = padding_mask(src, self.pad_id)
        vectors = self.decode(tgt, self.encode(src), hidden)
        return self.generator(vectors)
# %% wrong: own_memory_kept_from_last_source | TRUE CAUSE: encode keeps the last memory and returns it again whenever the new source has the same shape, as a misreading of "the source is encoded once", so another source of that shape (or the same one after a training step) gets the memory of the earlier source
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        kinds = dict(sinusoidal=PositionalEncoding, learned=LearnedPositionalEmbedding)
        if positions not in kinds:
            raise ValueError(f"positions: {positions!r} is none of {list(kinds)}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights: both vocabularies must have the same size")
        self.pad_id = pad_id
        self.memory, self.memory_shape = None, None

        self.src_embed, self.tgt_embed = (
            nn.Sequential(TokenEmbedding(v, d_model, pad_id), kinds[positions](d_model, dropout, max_len))
            for v in (src_vocab, tgt_vocab)
        )
        self.encoder, self.decoder = (
            stack(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
            for stack in (Encoder, Decoder)
        )
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            table = self.src_embed[0].embedding
            self.tgt_embed[0].embedding.weight = table.weight
            self.generator.proj.weight = table.weight

    def encode(self, src, src_mask=None):
        # the source is read only once
        if self.memory is None or self.memory_shape != src.shape:
            self.memory = self.encoder(self.src_embed(src), src_mask)
            self.memory_shape = src.shape
        return self.memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, tgt_mask))
