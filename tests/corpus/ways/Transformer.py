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


# %% right: own_helper_methods_and_options
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
            raise ValueError(f"positions is 'sinusoidal' or 'learned', not {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie {src_vocab} source words and {tgt_vocab} target words")

        def bottom(vocab):
            words = TokenEmbedding(vocab, d_model, pad_id)
            return nn.Sequential(words, place(d_model, dropout=dropout, max_len=max_len))

        options = dict(d_ff=d_ff, dropout=dropout, norm_first=norm_first)
        self.pad_id = pad_id
        self.src_embed = bottom(src_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, **options)
        self.tgt_embed = bottom(tgt_vocab)
        self.decoder = Decoder(num_layers, d_model, num_heads, **options)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            matrix = self.src_embed[0].embedding.weight
            for module in (self.tgt_embed[0].embedding, self.generator.proj):
                module.weight = matrix

    def encode(self, src, src_mask=None):
        x = self.src_embed(src)
        return self.encoder(x, src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        y = self.tgt_embed(tgt)
        return self.decoder(y, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        real = padding_mask(src, self.pad_id)
        seen = target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, real), real, seen))
# %% right: own_masks_written_out
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        classes = {"learned": LearnedPositionalEmbedding, "sinusoidal": PositionalEncoding}
        try:
            position_class = classes[positions]
        except KeyError:
            raise ValueError(f"no such positions: {positions!r}") from None
        if tie_weights and not src_vocab == tgt_vocab:
            raise ValueError("to tie the weights, src_vocab and tgt_vocab must be equal")
        self.pad_id = pad_id
        self.src_embed, self.tgt_embed = [
            nn.Sequential(TokenEmbedding(size, d_model, pad_id), position_class(d_model, dropout, max_len))
            for size in (src_vocab, tgt_vocab)
        ]
        self.encoder, self.decoder = [
            kind(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
            for kind in (Encoder, Decoder)
        ]
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight

    def _masks(self, src, tgt):
        steps = torch.arange(tgt.size(1), device=tgt.device)
        not_later = steps[None, :] <= steps[:, None]  # (T, T)
        src_mask = (src != self.pad_id)[:, None, None, :]
        tgt_mask = (tgt != self.pad_id)[:, None, None, :] & not_later
        return src_mask, tgt_mask

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), mask=src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask=src_mask, tgt_mask=tgt_mask)

    def forward(self, src, tgt):
        src_mask, tgt_mask = self._masks(src, tgt)
        memory = self.encode(src, src_mask)
        out = self.decode(tgt, memory, src_mask, tgt_mask)
        return self.generator(out)


# %% right: tenth_own_generator_expression
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        if positions == "sinusoidal":
            kind = PositionalEncoding
        elif positions == "learned":
            kind = LearnedPositionalEmbedding
        else:
            raise ValueError(f"unknown positions: {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("cannot tie two vocabularies of different sizes")

        self.pad_id = pad_id
        self.src_embed, self.tgt_embed = (
            nn.Sequential(TokenEmbedding(size, d_model, pad_id), kind(d_model, dropout, max_len))
            for size in (src_vocab, tgt_vocab)
        )
        stack = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.encoder, self.decoder = Encoder(*stack), Decoder(*stack)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            matrix = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = self.generator.proj.weight = matrix

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        hide_src, hide_tgt = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, hide_src), hide_src, hide_tgt))

# %% right: tenth_own_embed_helper
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        classes = dict(sinusoidal=PositionalEncoding, learned=LearnedPositionalEmbedding)
        if positions not in classes:
            raise ValueError("positions: sinusoidal or learned")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError("tie_weights: the vocabularies differ in size")
        self.pad_id = pad_id

        def embed(vocab):
            token = TokenEmbedding(vocab, d_model, pad_id)
            return nn.Sequential(token, classes[positions](d_model, dropout, max_len))

        self.src_embed = embed(src_vocab)
        self.tgt_embed = embed(tgt_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.src_embed[0].embedding.weight

    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        vectors = self.tgt_embed(tgt)
        return self.decoder(vectors, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, target_mask(tgt, self.pad_id)))


# %% right: eleventh_own_helper_embedding
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
        hide = padding_mask(src, self.pad_id)
        return self.generator(
            self.decode(tgt, self.encode(src, hide), hide, target_mask(tgt, self.pad_id))
        )
# %% right: eleventh_own_sizes_tuple
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
        memory = self.encode(src, padding_mask(src, self.pad_id))
        y = self.decode(
            tgt,
            memory,
            src_mask=padding_mask(src, self.pad_id),
            tgt_mask=target_mask(tgt, self.pad_id),
        )
        return self.generator(y)


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
# %% right: twelfth_own_sequential_append
class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
                 dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal",
                 tie_weights=False, max_len=5000):
        super().__init__()
        tables = dict(sinusoidal=PositionalEncoding, learned=LearnedPositionalEmbedding)
        try:
            table = tables[positions]
        except KeyError:
            raise ValueError(f"positions={positions!r} is not known") from None
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"{src_vocab} and {tgt_vocab} words cannot be tied")

        self.pad_id = pad_id
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed = nn.Sequential()
        self.tgt_embed = nn.Sequential()
        for stack, vocab in ((self.src_embed, src_vocab), (self.tgt_embed, tgt_vocab)):
            stack.append(TokenEmbedding(vocab, d_model, pad_id))
            stack.append(table(d_model, dropout, max_len))
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            for owner in (self.src_embed[0].embedding, self.tgt_embed[0].embedding):
                owner.weight = self.generator.proj.weight

    def encode(self, src, src_mask=None):
        x = self.src_embed(src)
        return self.encoder(x, src_mask)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        y = self.tgt_embed(tgt)
        return self.decoder(y, memory, src_mask, tgt_mask)

    def forward(self, src, tgt):
        seen = padding_mask(src, self.pad_id)
        y = self.decode(tgt, self.encode(src, seen), src_mask=seen,
                        tgt_mask=target_mask(tgt, self.pad_id))
        return self.generator(y)
