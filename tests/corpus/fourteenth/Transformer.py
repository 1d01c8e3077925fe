# %% wrong: shared_is_a_copy | shared is a new Parameter with a copy of the source embedding's numbers. Target embedding and projection share it, but the source embedding keeps a matrix of its own, so there are two matrices instead of one.
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
            shared = nn.Parameter(self.src_embed[0].embedding.weight.detach().clone())
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
# %% wrong: one_position_module_for_both | The target's embedding takes over the position module of the source (src_embed[1]) instead of one of its own. With learned positions source and target then share one table, where each is to have its own.
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
            self.src_embed[1],
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
        decoded = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return decoded
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = target_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        decoded = self.decode(tgt, memory, src_mask, tgt_mask)
        log_probs = self.generator(decoded)
        return log_probs
# %% wrong: own_decode_makes_a_mask | decode makes the target mask itself where it gets none. By the text encode and decode hide nothing without a mask; forward is right, but decode(tgt, memory) hides future and padding.
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
        position_class = dict(
            sinusoidal=PositionalEncoding, learned=LearnedPositionalEmbedding
        ).get(positions)
        if position_class is None:
            raise ValueError(f"unknown positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie vocabularies of {src_vocab} and {tgt_vocab} tokens")
        def embedding(vocab):
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), position_class(d_model, dropout, max_len)
            )
        stack = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed, self.tgt_embed = embedding(src_vocab), embedding(tgt_vocab)
        self.encoder, self.decoder = Encoder(*stack), Decoder(*stack)
        self.generator = Generator(d_model, tgt_vocab)
        self.pad_id = pad_id
        if tie_weights:
            matrix = self.src_embed[0].embedding.weight
            for part in (self.tgt_embed[0].embedding, self.generator.proj):
                part.weight = matrix
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            tgt_mask = target_mask(tgt, self.pad_id)
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        seen = padding_mask(src, self.pad_id)
        vectors = self.decode(tgt, self.encode(src, seen), src_mask=seen)
        return self.generator(vectors)
# %% wrong: own_max_len_not_passed_on | max_len is never passed on to the positions, which keep their own defaults (5000, and 512 for learned ones). So a given max_len has no effect.
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
            raise ValueError(f"positions must be sinusoidal or learned, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"to tie, {src_vocab} and {tgt_vocab} would have to be equal")
        self.pad_id = pad_id
        embeds = []
        for size in (src_vocab, tgt_vocab):
            tokens = TokenEmbedding(size, d_model, pad_id=pad_id)
            embeds.append(nn.Sequential(tokens, make_positions(d_model, dropout=dropout)))
        self.src_embed, self.tgt_embed = embeds
        options = dict(d_ff=d_ff, dropout=dropout, norm_first=norm_first)
        self.encoder = Encoder(num_layers, d_model, num_heads, **options)
        self.decoder = Decoder(num_layers, d_model, num_heads, **options)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            one = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = one
            self.generator.proj.weight = one
    def encode(self, src, src_mask=None):
        vectors = self.src_embed(src)
        return self.encoder(vectors, mask=src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        vectors = self.tgt_embed(tgt)
        return self.decoder(vectors, memory, src_mask=src_mask, tgt_mask=tgt_mask)
    def forward(self, src, tgt):
        masks = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        memory = self.encode(src, masks[0])
        return self.generator(self.decode(tgt, memory, *masks))
