# %% wrong: bart-shared-module | With tie_weights the whole module src_embed is used for the target, too, positions included, instead of sharing the matrix alone. With learned positions source and target then have one table of positions, where each has to have its own.
class Transformer(nn.Module):
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
        def embedder(vocab):
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
            )
        self.src_embed = embedder(src_vocab)
        self.tgt_embed = self.src_embed if tie_weights else embedder(tgt_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.generator.proj.weight = self.src_embed[0].embedding.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, tgt_mask))

# %% wrong: copied-not-tied | With tie_weights the numbers of the source's embedding are copied into the other two matrices. They are equal at the start, but three Parameters that are trained apart; the same nn.Parameter has to be given to all three.
class Transformer(nn.Module):
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
            self.tgt_embed[0].embedding.weight.data.copy_(shared.data)
            self.generator.proj.weight.data.copy_(shared.data)
    def encode(self, src, src_mask=None):
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return decoded
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: memory-without-mask | The decoder gets no mask of the source, as when memory_key_padding_mask is forgotten with nn.Transformer: forward passes only tgt_mask to decode, so cross-attention looks at the padding of the source. The source's mask belongs in the encoder and in the decoder's cross-attention.
class Transformer(nn.Module):
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
        stack = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.encoder, self.decoder = Encoder(*stack), Decoder(*stack)
        for side, vocab in (("src_embed", src_vocab), ("tgt_embed", tgt_vocab)):
            tokens = TokenEmbedding(vocab, d_model, pad_id)
            places = kinds[positions](d_model, dropout=dropout, max_len=max_len)
            self.add_module(side, nn.Sequential(tokens, places))
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            weight = self.generator.proj.weight
            self.src_embed[0].embedding.weight = weight
            self.tgt_embed[0].embedding.weight = weight
    def make_masks(self, src, tgt):
        return padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask=src_mask, tgt_mask=tgt_mask)
    def forward(self, src, tgt):
        src_padding, tgt_causal = self.make_masks(src, tgt)
        memory = self.encode(src, src_padding)
        outs = self.decode(tgt, memory, tgt_mask=tgt_causal)
        return self.generator(outs)

# %% wrong: annotated-stops-at-the-decoder | forward returns what the decoder returns, vectors (N, T, D), and leaves the generator to the caller, as the Annotated Transformer does. It has to return log-probabilities, (N, T, V).
class Transformer(nn.Module):
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
        position = kinds[positions]
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), position(d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id), position(d_model, dropout, max_len)
        )
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            lut = self.src_embed[0].embedding
            self.tgt_embed[0].embedding.weight = lut.weight
            self.generator.proj.weight = lut.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        return self.decode(tgt, self.encode(src, src_mask), src_mask, tgt_mask)

# %% wrong: masks-where-none-were-given | encode and decode make the masks themselves where they are given none, so that nobody can forget them. The contract is that they hide nothing where they get no mask; only forward makes masks from the ids.
class Transformer(nn.Module):
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
        sizes = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed, self.tgt_embed = (
            nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
            )
            for vocab in (src_vocab, tgt_vocab)
        )
        self.encoder = Encoder(*sizes)
        self.decoder = Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            for owner in (self.tgt_embed[0].embedding, self.generator.proj):
                owner.weight = self.src_embed[0].embedding.weight
    def encode(self, src, src_mask=None):
        if src_mask is None:
            src_mask = padding_mask(src, self.pad_id)
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            tgt_mask = target_mask(tgt, self.pad_id)
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        memory = self.encode(src)
        decoded = self.decode(tgt, memory, padding_mask(src, self.pad_id))
        return self.generator(decoded)

# %% wrong: zero-and-defaults | Two mistakes. The masks take id 0 for padding instead of self.pad_id, which depends on the vocabulary; and the positions of the target are made without dropout and max_len, so they keep their defaults whatever the model was given.
class Transformer(nn.Module):
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
            kinds[positions](d_model),
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared
    def make_src_mask(self, src):
        return (src != 0).unsqueeze(1).unsqueeze(2)
    def make_trg_mask(self, trg):
        trg_pad_mask = (trg != 0).unsqueeze(1).unsqueeze(2)
        trg_len = trg.shape[1]
        trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=trg.device)).bool()
        return trg_pad_mask & trg_sub_mask
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = self.make_src_mask(src)
        trg_mask = self.make_trg_mask(tgt)
        enc_src = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, enc_src, src_mask, trg_mask))

# %% right: masks-by-hand
class Transformer(nn.Module):
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
        self.generator = Generator(d_model, tgt_vocab)
        self.src_embed = self._side(src_vocab, d_model, kinds[positions](d_model, dropout, max_len))
        self.tgt_embed = self._side(tgt_vocab, d_model, kinds[positions](d_model, dropout, max_len))
        if tie_weights:
            self.src_embed[0].embedding.weight = self.generator.proj.weight
            self.tgt_embed[0].embedding.weight = self.generator.proj.weight
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
    def _side(self, vocab, d_model, places):
        return nn.Sequential(TokenEmbedding(vocab, d_model, self.pad_id), places)
    def encode(self, src, src_mask=None):
        x = src
        for stage in self.src_embed:
            x = stage(x)
        return self.encoder(x, mask=src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, tgt_mask=tgt_mask, src_mask=src_mask)
    def forward(self, src, tgt):
        real_src = src.ne(self.pad_id)[:, None, None, :]
        at = torch.arange(tgt.size(1), device=tgt.device)
        seen_tgt = tgt.ne(self.pad_id)[:, None, None, :] & (at[:, None] >= at)
        decoded = self.decode(tgt, self.encode(src, real_src), real_src, seen_tgt)
        return self.generator(decoded)
