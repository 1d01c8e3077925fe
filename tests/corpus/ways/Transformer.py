# %% right: fourteenth_own_setattr_loops
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
        self.pad_id = pad_id
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"positions must be 'sinusoidal' or 'learned', not {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"tie_weights with two vocabularies: {src_vocab} and {tgt_vocab}")
        learned = positions == "learned"
        for side, vocab in (("src", src_vocab), ("tgt", tgt_vocab)):
            table = TokenEmbedding(vocab, d_model, pad_id)
            if learned:
                places = LearnedPositionalEmbedding(d_model, dropout=dropout, max_len=max_len)
            else:
                places = PositionalEncoding(d_model, dropout=dropout, max_len=max_len)
            setattr(self, f"{side}_embed", nn.Sequential(table, places))
        for name, kind in (("encoder", Encoder), ("decoder", Decoder)):
            stack = kind(
                num_layers=num_layers,
                d_model=d_model,
                num_heads=num_heads,
                d_ff=d_ff,
                dropout=dropout,
                norm_first=norm_first,
            )
            setattr(self, name, stack)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self._tie(self.src_embed[0].embedding, self.tgt_embed[0].embedding, self.generator.proj)
    @staticmethod
    def _tie(first, *others):
        for other in others:
            other.weight = first.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), mask=src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory=memory, src_mask=src_mask, tgt_mask=tgt_mask)
    def forward(self, src, tgt):
        hidden = {"src_mask": padding_mask(src, self.pad_id)}
        memory = self.encode(src, **hidden)
        hidden["tgt_mask"] = target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, memory, **hidden))
# %% right: twelfth_own_helper_functions
def check_options(src_vocab, tgt_vocab, positions, tie_weights):
    if positions != "sinusoidal" and positions != "learned":
        raise ValueError(f"unknown positions: {positions}")
    if tie_weights and src_vocab != tgt_vocab:
        raise ValueError("cannot tie two vocabularies of different sizes")
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        check_options(src_vocab, tgt_vocab, positions, tie_weights)
        self.pad_id = pad_id
        where = PositionalEncoding if positions == "sinusoidal" else LearnedPositionalEmbedding
        def embed(vocab):
            return nn.Sequential(TokenEmbedding(vocab, d_model, pad_id), where(d_model, dropout, max_len))
        sizes = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed, self.tgt_embed = embed(src_vocab), embed(tgt_vocab)
        self.encoder, self.decoder = Encoder(*sizes), Decoder(*sizes)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        hide_src, hide_tgt = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, hide_src), hide_src, hide_tgt))
# %% right: field_encoder_decoder_of_given_parts
class EncoderDecoder(nn.Module):
    def __init__(self, encoder, decoder, src_embed, tgt_embed, generator):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.src_embed = src_embed
        self.tgt_embed = tgt_embed
        self.generator = generator
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
class Transformer(EncoderDecoder):
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
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"unknown positions: {positions}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("the vocabularies differ in size")
        import copy
        c = copy.deepcopy
        kind = PositionalEncoding if positions == "sinusoidal" else LearnedPositionalEmbedding
        position = kind(d_model, dropout, max_len)
        super().__init__(
            Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first),
            Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first),
            nn.Sequential(TokenEmbedding(src_vocab, d_model, pad_id), c(position)),
            nn.Sequential(TokenEmbedding(tgt_vocab, d_model, pad_id), c(position)),
            Generator(d_model, tgt_vocab),
        )
        self.pad_id = pad_id
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.tgt_embed[0].embedding.weight
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, src_mask), src_mask, tgt_mask))
# %% right: field_masks_made_by_methods
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
        if positions == "sinusoidal":
            make_positions = PositionalEncoding
        elif positions == "learned":
            make_positions = LearnedPositionalEmbedding
        else:
            raise ValueError("positions")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights")
        self.src_pad_idx = self.trg_pad_idx = self.pad_id = pad_id
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), make_positions(d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id), make_positions(d_model, dropout, max_len)
        )
        sizes = dict(num_layers=num_layers, d_model=d_model, num_heads=num_heads, d_ff=d_ff)
        self.encoder = Encoder(**sizes, dropout=dropout, norm_first=norm_first)
        self.decoder = Decoder(**sizes, dropout=dropout, norm_first=norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.src_embed[0].embedding.weight = self.generator.proj.weight
            self.tgt_embed[0].embedding.weight = self.generator.proj.weight
    def make_src_mask(self, src):
        return (src != self.src_pad_idx).unsqueeze(1).unsqueeze(2)
    def make_trg_mask(self, trg):
        trg_pad_mask = (trg != self.trg_pad_idx).unsqueeze(1).unsqueeze(2)
        trg_len = trg.shape[1]
        trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=trg.device)).bool()
        return trg_pad_mask & trg_sub_mask
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, trg):
        src_mask = self.make_src_mask(src)
        trg_mask = self.make_trg_mask(trg)
        enc_src = self.encode(src, src_mask)
        output = self.decode(trg, enc_src, src_mask, trg_mask)
        return self.generator(output)
