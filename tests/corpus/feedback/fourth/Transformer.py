# %% wrong: source_vocabulary | TRUE CAUSE: the target's embedding is copied from the source's with src_vocab left in it: it has a row for each source word and not for each target word
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
            TokenEmbedding(src_vocab, d_model, pad_id),
            kinds[positions](d_model, dropout, max_len),
        )  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: one_embedding_for_both | TRUE CAUSE: the target uses the very same embedding module as the source, also where nothing is to be tied (and the vocabularies differ)
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
        self.tgt_embed = self.src_embed  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: a_new_parameter | TRUE CAUSE: wraps the weight in a new nn.Parameter: the source embedding keeps its own one, so only two of the three are the same Parameter
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
        )  # blank: target_embedding
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            shared = nn.Parameter(self.src_embed[0].embedding.weight)
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: memory_of_the_target_masks | TRUE CAUSE: decode passes the masks in the wrong order: the decoder gets the target's mask for the source and the other way round
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
        )  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, tgt_mask, src_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: source_without_future | TRUE CAUSE: the source's mask hides the future too (target_mask for both), though the source is known as a whole
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
        )  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = target_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: target_sees_the_future | TRUE CAUSE: the target's mask hides padding only, so each position sees the token that it has to predict
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
        )  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = padding_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: options_of_positions_lost | TRUE CAUSE: the target's part is always the sinusoidal encoding with its defaults: positions="learned", dropout and max_len do not reach it
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
            TokenEmbedding(tgt_vocab, d_model, pad_id), PositionalEncoding(d_model)
        )  # blank: target_embedding
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: decode_makes_a_mask | TRUE CAUSE: decode makes a mask of its own where it gets none, though encode and decode hide nothing without a mask
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
        )  # blank: target_embedding
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
        if tgt_mask is None:
            tgt_mask = target_mask(tgt, self.pad_id)
        x = self.tgt_embed(tgt)
        return self.decoder(x, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)  # blank: mask_of_source
        tgt_mask = target_mask(tgt, self.pad_id)  # blank: mask_of_target
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: two_tied_padding_zero | TRUE CAUSE: two mistakes: the source's embedding is left out of the tying, and the masks are made with padding 0 whatever pad_id is
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
        )  # blank: target_embedding
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            self.generator.proj.weight = self.tgt_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, 0), target_mask(tgt, 0)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, tgt_mask))
