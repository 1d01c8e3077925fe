# %% wrong: future_seen | TRUE CAUSE: the target's mask is a padding mask only, so every position sees what comes after it
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
        tgt_mask = padding_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


# %% wrong: source_vocabulary_for_target | TRUE CAUSE: the target's table is made with src_vocab rows instead of tgt_vocab
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


# %% wrong: target_not_embedded | TRUE CAUSE: decode hands the target's ids to the decoder without embedding them first, which crashes
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
        decoded = self.decoder(tgt, memory, src_mask, tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


# %% wrong: shared_is_a_copy | TRUE CAUSE: the shared matrix is a new parameter with a copy of the source table, so the source's embedding is not tied to the other two
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask=src_mask, tgt_mask=tgt_mask)
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


# %% wrong: target_max_len_lost | TRUE CAUSE: two at once: max_len is not handed on to the target's positions, which keep their own default, and the source's mask takes the padding to be 0 instead of pad_id
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
            *[TokenEmbedding(tgt_vocab, d_model, pad_id=pad_id), kinds[positions](d_model, dropout)]
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
        decoded = self.decoder(
            x=self.tgt_embed(tgt), memory=memory, src_mask=src_mask, tgt_mask=tgt_mask
        )
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(pad_id=0, ids=src)
        tgt_mask = target_mask(pad_id=self.pad_id, ids=tgt)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


# %% wrong: masks_crossed_in_decode | TRUE CAUSE: decode hands the target's mask to the decoder where the source's belongs, and the other way round
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
        decoded = self.decoder(self.tgt_embed.forward(tgt), memory, *(tgt_mask, src_mask))
        return decoded

    def forward(self, src, tgt):
        """Return the log-probabilities of the token after each one of tgt, (N, T, V)."""
        src_mask = padding_mask(src, pad_id=self.pad_id)
        tgt_mask = target_mask(tgt, pad_id=self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs


# %% wrong: masks_made_where_none | TRUE CAUSE: encode and decode make the masks themselves where they get None, although they are to hide nothing then
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
        dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal", tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        if positions == "sinusoidal":
            kind = PositionalEncoding
        elif positions == "learned":
            kind = LearnedPositionalEmbedding
        else:
            raise ValueError(f"unknown positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie vocabularies of {src_vocab} and {tgt_vocab} words")
        self.pad_id = pad_id

        def embed(size):
            return nn.Sequential(
                TokenEmbedding(size, d_model, pad_id), kind(d_model, dropout, max_len)
            )

        self.src_embed = embed(src_vocab)
        self.tgt_embed = embed(tgt_vocab)
        sizes = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.encoder = Encoder(*sizes)
        self.decoder = Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        if src_mask is None:
            src_mask = padding_mask(src, self.pad_id)
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            tgt_mask = target_mask(tgt, self.pad_id)
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask))


# %% wrong: cross_attention_unmasked | TRUE CAUSE: forward hands the source's mask to encode only, so the decoder looks at the padding of the source
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
        dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal", tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights needs one vocabulary for both languages")
        self.pad_id = pad_id
        kind = kinds[positions]
        source_tokens = TokenEmbedding(src_vocab, d_model, pad_id)
        target_tokens = TokenEmbedding(tgt_vocab, d_model, pad_id)
        self.src_embed = nn.Sequential(source_tokens, kind(d_model, dropout, max_len))
        self.tgt_embed = nn.Sequential(target_tokens, kind(d_model, dropout, max_len))
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            target_tokens.embedding.weight = source_tokens.embedding.weight
            self.generator.proj.weight = source_tokens.embedding.weight

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        memory = self.encode(src, padding_mask(src, self.pad_id))
        vectors = self.decode(tgt, memory, tgt_mask=target_mask(tgt, self.pad_id))
        return self.generator(vectors)


# %% wrong: sinusoids_for_target_post_norm_decoder | TRUE CAUSE: two at once: the target always gets sinusoidal positions, whatever `positions` says, and norm_first is not handed on to the decoder
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
        dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal", tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"positions must be sinusoidal or learned, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights needs src_vocab == tgt_vocab")
        self.pad_id = pad_id
        learned = positions == "learned"
        source_places = LearnedPositionalEmbedding if learned else PositionalEncoding
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), source_places(d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id),
            PositionalEncoding(d_model, dropout, max_len),
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            table = self.src_embed[0].embedding
            self.tgt_embed[0].embedding.weight = table.weight
            self.generator.proj.weight = table.weight

    def encode(self, src, src_mask=None):
        x = self.src_embed(src)
        return self.encoder(x, src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        x = self.tgt_embed(tgt)
        return self.decoder(x, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        hide_source = padding_mask(src, self.pad_id)
        hide_target = target_mask(tgt, self.pad_id)
        memory = self.encode(src, hide_source)
        x = self.decode(tgt, memory, hide_source, hide_target)
        return self.generator(x)
