# %% wrong: memory-without-its-mask | The decoder is called without src_mask: cross-attention sees the padding of the source, although the mask comes into `decode`.
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
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared
    def encode(self, src, src_mask=None):
        memory = self.encoder(self.src_embed(src), src_mask)
        return memory
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        decoded = self.decoder(self.tgt_embed(tgt), memory, tgt_mask=tgt_mask)
        return decoded
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs

# %% wrong: same-numbers-not-same-parameter | Tying assigns `.data`, so the three modules share the numbers but keep three nn.Parameters, each with its own gradient: they are counted three times and an optimizer updates each by itself. The same nn.Parameter has to be given to all.
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
        def embedding(vocab):
            place = kinds[positions](d_model, dropout, max_len)
            return nn.Sequential(TokenEmbedding(vocab, d_model, pad_id), place)
        self.src_embed, self.tgt_embed = embedding(src_vocab), embedding(tgt_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight.data = shared.data
            self.generator.proj.weight.data = shared.data
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, target_mask(tgt, self.pad_id))
        return self.generator(decoded)

# %% wrong: source-embedding-left-out-of-the-tie | In the manner of fairseq's share_decoder_input_output_embed: only the target's embedding and the projection share a matrix. tie_weights asks for one matrix in all three places, the source's embedding too.
class Transformer(nn.Module):
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
            raise ValueError("shared embeddings require a joined dictionary")
        self.pad_id = pad_id
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), position_class(d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id), position_class(d_model, dropout, max_len)
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.generator.proj.weight = self.tgt_embed[0].embedding.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        encoder_out = self.encode(src, src_mask)
        prev_output_mask = target_mask(tgt, self.pad_id)
        x = self.decode(tgt, encoder_out, src_mask=src_mask, tgt_mask=prev_output_mask)
        return self.generator(x)

# %% wrong: one-embedding-module-when-tied | With tie_weights the whole module src_embed is also used for the target, positions included. With learned positions source and target then share one table of positions, where the contract gives each a table of its own.
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights needs one vocabulary for both languages")
        self.pad_id = pad_id
        sizes = dict(
            num_layers=num_layers,
            d_model=d_model,
            num_heads=num_heads,
            d_ff=d_ff,
            dropout=dropout,
            norm_first=norm_first,
        )
        def embed(vocab):
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
            )
        self.src_embed = embed(src_vocab)
        self.tgt_embed = self.src_embed if tie_weights else embed(tgt_vocab)
        self.encoder = Encoder(**sizes)
        self.decoder = Decoder(**sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.generator.proj.weight = self.src_embed[0].embedding.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, src_mask), src_mask, tgt_mask))

# %% wrong: padding-is-always-zero | In the manner of tutorials with make_src_mask and make_tgt_mask: the masks compare the ids with 0 instead of with pad_id. With another pad_id, padding is seen and a real word is hidden.
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        kinds = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
        if positions not in kinds:
            raise ValueError(f"positions must be one of {sorted(kinds)}, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights needs one vocabulary for both languages")
        self.pad_id = pad_id
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight
    def make_src_mask(self, src):
        return (src != 0).unsqueeze(1).unsqueeze(2)
    def make_tgt_mask(self, tgt):
        pad_mask = (tgt != 0).unsqueeze(1).unsqueeze(2)
        length = tgt.size(1)
        sub_mask = torch.tril(torch.ones(length, length, dtype=torch.bool, device=tgt.device))
        return pad_mask & sub_mask
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = self.make_src_mask(src)
        tgt_mask = self.make_tgt_mask(tgt)
        enc_src = self.encode(src, src_mask)
        output = self.decode(tgt, enc_src, src_mask, tgt_mask)
        return self.generator(output)

# %% wrong: post-norm-decoder-and-default-positions | Two mistakes. norm_first does not reach the decoder, which stays post-norm; and the target's positions are made without dropout and max_len, so they have their own defaults instead of the model's.
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
            TokenEmbedding(tgt_vocab, d_model, pad_id), kinds[positions](d_model)
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared
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

# %% right: tied-the-other-way-round
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"no such positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie {src_vocab} rows to {tgt_vocab}")
        place = PositionalEncoding if positions == "sinusoidal" else LearnedPositionalEmbedding
        self.pad_id = pad_id
        for name, vocab in (("src_embed", src_vocab), ("tgt_embed", tgt_vocab)):
            tokens = TokenEmbedding(vocab, d_model, pad_id=pad_id)
            self.add_module(name, nn.Sequential(tokens, place(d_model, dropout, max_len=max_len)))
        stack = (num_layers, d_model, num_heads, d_ff)
        self.encoder = Encoder(*stack, dropout=dropout, norm_first=norm_first)
        self.decoder = Decoder(*stack, dropout=dropout, norm_first=norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            for embed in (self.src_embed, self.tgt_embed):
                embed[0].embedding.weight = self.generator.proj.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), mask=src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask=src_mask, tgt_mask=tgt_mask)
    def forward(self, src, tgt):
        seen_in_src = src.ne(self.pad_id)[:, None, None, :]
        order = torch.arange(tgt.size(1), device=tgt.device)
        past = order[None, :] <= order[:, None]
        seen_in_tgt = tgt.ne(self.pad_id)[:, None, None, :] & past
        vectors = self.decode(tgt, self.encode(src, seen_in_src), seen_in_src, seen_in_tgt)
        return self.generator(vectors)
