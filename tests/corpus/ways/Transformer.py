# %% right: helper_and_keywords
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

        def embedding(vocab):
            positional = kinds[positions](d_model, dropout=dropout, max_len=max_len)
            return nn.Sequential(TokenEmbedding(vocab, d_model, pad_id=pad_id), positional)

        self.src_embed = embedding(src_vocab)
        self.tgt_embed = embedding(tgt_vocab)
        sizes = (num_layers, d_model, num_heads, d_ff)
        self.encoder = Encoder(*sizes, dropout=dropout, norm_first=norm_first)
        self.decoder = Decoder(*sizes, dropout=dropout, norm_first=norm_first)
        self.generator = Generator(d_model, tgt_vocab)

        if tie_weights:
            for other in (self.tgt_embed[0].embedding, self.generator.proj):
                other.weight = self.src_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        """Read the source once: ids (N, S) to memory (N, S, D)."""
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        x = self.tgt_embed(tgt)
        return self.decoder(x, memory, src_mask=src_mask, tgt_mask=tgt_mask)

    def forward(self, src, tgt):
        seen = padding_mask(src, self.pad_id)
        memory = self.encode(src, seen)
        x = self.decode(tgt, memory, seen, target_mask(tgt, self.pad_id))
        return self.generator(x)

# %% right: one_parameter_first
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
            self.tgt_embed[0].embedding.weight = self.generator.proj.weight = shared

    def encode(self, src, src_mask=None):
        vectors = self.src_embed(src)
        return self.encoder(vectors, mask=src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        """Read the target so far beside the memory: ids (N, T) to vectors (N, T, D)."""
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)  # blank: decoder_call
        return decoded

    def forward(self, src, tgt):
        tgt_mask = target_mask(tgt, pad_id=self.pad_id)
        src_mask = padding_mask(src, pad_id=self.pad_id)
        decoded = self.decode(tgt, self.encode(src, src_mask), src_mask, tgt_mask)
        return self.generator(decoded)
