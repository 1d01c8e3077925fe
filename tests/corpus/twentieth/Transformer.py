# %% wrong: one-module-of-positions | The target's embedding reuses the module of positions of the source's (src_embed[1]); so with learned positions source and target share one table, instead of each having its own.
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

# %% wrong: tied-by-copying | With tie_weights the numbers of the source's embedding are copied into the other two matrices once; they are equal at the start but remain three parameters, instead of one nn.Parameter that all three hold.
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=512, num_heads=8, num_layers=6, d_ff=2048,
        dropout=0.1, pad_id=0, norm_first=False, positions="sinusoidal", tie_weights=False,
        max_len=5000,
    ):
        super().__init__()
        if positions == "sinusoidal":
            place = PositionalEncoding
        elif positions == "learned":
            place = LearnedPositionalEmbedding
        else:
            raise ValueError(f"positions must be sinusoidal or learned, but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"cannot tie vocabularies of {src_vocab} and {tgt_vocab} tokens")
        self.pad_id = pad_id
        stack = (num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.src_embed, self.tgt_embed = (
            nn.Sequential(
                TokenEmbedding(size, d_model, pad_id), place(d_model, dropout, max_len)
            )
            for size in (src_vocab, tgt_vocab)
        )
        self.encoder, self.decoder = Encoder(*stack), Decoder(*stack)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self._tie()
    @torch.no_grad()
    def _tie(self):
        table = self.src_embed[0].embedding.weight
        for other in (self.tgt_embed[0].embedding, self.generator.proj):
            other.weight.copy_(table)
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        masks = padding_mask(src, self.pad_id), target_mask(tgt, self.pad_id)
        return self.generator(self.decode(tgt, self.encode(src, masks[0]), *masks))

# %% wrong: bentrevett-or-instead-of-and | The target's mask joins padding mask and causal mask with "or" instead of "and"; with True for "may be seen", every real token is then visible even if it comes later, and the model reads the answer.
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
        return (src != self.pad_id).unsqueeze(1).unsqueeze(2)
    def make_trg_mask(self, trg):
        trg_pad_mask = (trg != self.pad_id).unsqueeze(1).unsqueeze(2)
        trg_len = trg.shape[1]
        trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=trg.device)).bool()
        return trg_pad_mask | trg_sub_mask
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = self.make_src_mask(src)
        trg_mask = self.make_trg_mask(tgt)
        enc_src = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, enc_src, src_mask, trg_mask))

# %% wrong: nn-transformer-no-memory-mask | The decoder gets no mask for the memory, like nn.Transformer called without memory_key_padding_mask; the encoder hides the source's padding, but cross-attention looks at it.
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
            return nn.Sequential(
                TokenEmbedding(vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)
            )
        self.src_embed = embedding(src_vocab)
        self.tgt_embed = embedding(tgt_vocab)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        tgt_emb = self.tgt_embed(tgt)
        return self.decoder(tgt_emb, memory, None, tgt_mask)
    def forward(self, src, tgt):
        src_padding_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_padding_mask)
        outs = self.decode(tgt, memory, src_padding_mask, target_mask(tgt, self.pad_id))
        return self.generator(outs)

# %% wrong: max-len-lost-in-a-helper | The helper that makes the embeddings passes dropout but not max_len to the positions; so they keep their own default (5000 or 512) whatever max_len the model is given.
class Transformer(nn.Module):
    KINDS = {"sinusoidal": PositionalEncoding, "learned": LearnedPositionalEmbedding}
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
        if positions not in self.KINDS:
            raise ValueError(f"unknown positions {positions!r}, choose from {sorted(self.KINDS)}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(f"vocabularies of {src_vocab} and {tgt_vocab} cannot be tied")
        self.pad_id = pad_id
        self.max_len = max_len
        self.src_embed = self.embedding_of(src_vocab, d_model, positions, dropout)
        self.tgt_embed = self.embedding_of(tgt_vocab, d_model, positions, dropout)
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            source, target = self.src_embed[0].embedding, self.tgt_embed[0].embedding
            target.weight = self.generator.proj.weight = source.weight
    def embedding_of(self, vocab, d_model, positions, dropout):
        tokens = TokenEmbedding(vocab, d_model, self.pad_id)
        places = self.KINDS[positions](d_model, dropout)
        return nn.Sequential(tokens, places)
    def encode(self, src, src_mask=None):
        x = self.src_embed(src)
        return self.encoder(x, src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        x = self.tgt_embed(tgt)
        return self.decoder(x, memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_mask)
        x = self.decode(tgt, memory, src_mask, target_mask(tgt, self.pad_id))
        return self.generator(x)

# %% wrong: masks-made-inside-encode-and-decode | encode and decode make the masks from the ids themselves where none is given; by the contract they hide nothing where they get no mask, and only forward makes masks.
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
        for side, vocab in (("src_embed", src_vocab), ("tgt_embed", tgt_vocab)):
            tokens = TokenEmbedding(vocab, d_model, pad_id)
            self.add_module(side, nn.Sequential(tokens, kinds[positions](d_model, dropout, max_len)))
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.tgt_embed[0].embedding.weight
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

# %% wrong: hyunwoongko-decoder-always-post-norm | norm_first is passed to the encoder only; the decoder is made without it and stays post-norm, although an option must reach every part that it concerns.
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
        if positions not in ("sinusoidal", "learned"):
            raise ValueError(f"positions is 'sinusoidal' or 'learned', but got {positions!r}")
        if tie_weights and src_vocab != tgt_vocab:
            raise ValueError(
                f"cannot share one matrix between {src_vocab} and {tgt_vocab} words"
            )
        pos = PositionalEncoding if positions == "sinusoidal" else LearnedPositionalEmbedding
        self.pad_id = pad_id
        self.src_embed = nn.Sequential(
            TokenEmbedding(src_vocab, d_model, pad_id), pos(d_model, dropout, max_len)
        )
        self.tgt_embed = nn.Sequential(
            TokenEmbedding(tgt_vocab, d_model, pad_id), pos(d_model, dropout, max_len)
        )
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            self.generator.proj.weight = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = self.generator.proj.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def make_pad_mask(self, ids):
        return ids.ne(self.pad_id)[:, None, None, :]
    def make_no_peak_mask(self, ids):
        size = ids.size(1)
        return torch.ones(size, size, dtype=torch.bool, device=ids.device).tril()
    def forward(self, src, tgt):
        src_mask = self.make_pad_mask(src)
        tgt_mask = self.make_pad_mask(tgt) & self.make_no_peak_mask(tgt)
        enc_src = self.encode(src, src_mask)
        output = self.decode(tgt, enc_src, src_mask, tgt_mask)
        return self.generator(output)

# %% wrong: pad-is-zero-and-source-words | Two mistakes. (1) The masks compare the ids with 0 instead of with self.pad_id, so another pad_id is not hidden. (2) The generator is made with the size of the source's vocabulary instead of the target's.
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
        sizes = dict(zip(("src_embed", "tgt_embed"), (src_vocab, tgt_vocab)))
        for name, vocab in sizes.items():
            parts = [TokenEmbedding(vocab, d_model, pad_id), kinds[positions](d_model, dropout, max_len)]
            setattr(self, name, nn.Sequential(*parts))
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.generator = Generator(d_model, src_vocab)
        if tie_weights:
            shared = self.src_embed[0].embedding.weight
            self.tgt_embed[0].embedding.weight = shared
            self.generator.proj.weight = shared
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        steps = torch.arange(tgt.size(1), device=tgt.device)
        not_later = steps[:, None] >= steps[None, :]
        src_mask = src.bool()[:, None, None, :]
        tgt_mask = tgt.bool()[:, None, None, :] & not_later
        memory = self.encode(src, src_mask)
        return self.generator(self.decode(tgt, memory, src_mask, tgt_mask))

# %% right: own-masks-and-a-loop-over-sides
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
        for side, vocab in (("src_embed", src_vocab), ("tgt_embed", tgt_vocab)):
            places = kinds[positions](d_model, dropout, max_len)
            setattr(self, side, nn.Sequential(TokenEmbedding(vocab, d_model, pad_id), places))
        for side, stack in (("encoder", Encoder), ("decoder", Decoder)):
            setattr(self, side, stack(num_layers, d_model, num_heads, d_ff, dropout, norm_first))
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            for module in (self.src_embed[0].embedding, self.tgt_embed[0].embedding):
                module.weight = self.generator.proj.weight
    def encode(self, src, src_mask=None):
        return self.encoder(self.src_embed(src), src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        words, so_far = (ids.ne(self.pad_id)[:, None, None] for ids in (src, tgt))
        steps = torch.arange(tgt.size(-1), device=tgt.device)
        so_far = so_far & (steps <= steps.unsqueeze(-1))
        found = self.decode(tgt, self.encode(src, words), words, so_far)
        return self.generator(found)

# %% right: fairseq-like-static-builders
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
        if positions not in {"sinusoidal", "learned"}:
            raise ValueError(f"positions must be 'sinusoidal' or 'learned', but got {positions!r}")
        self.padding_idx = self.pad_id = pad_id
        learned = positions == "learned"
        self.src_embed = self.build_embedding(src_vocab, d_model, pad_id, dropout, max_len, learned)
        self.tgt_embed = self.build_embedding(tgt_vocab, d_model, pad_id, dropout, max_len, learned)
        self.generator = Generator(d_model, tgt_vocab)
        if tie_weights:
            if src_vocab != tgt_vocab:
                raise ValueError("tie_weights requires a joined dictionary")
            self.tgt_embed[0].embedding.weight = self.src_embed[0].embedding.weight
            self.generator.proj.weight = self.tgt_embed[0].embedding.weight
        self.encoder = Encoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, dropout, norm_first)
    @staticmethod
    def build_embedding(vocab, d_model, pad_id, dropout, max_len, learned):
        place = LearnedPositionalEmbedding if learned else PositionalEncoding
        return nn.Sequential(
            TokenEmbedding(vocab, d_model, pad_id), place(d_model, dropout=dropout, max_len=max_len)
        )
    def encode(self, src, src_mask=None):
        encoder_in = self.src_embed(src)
        return self.encoder(encoder_in, src_mask)
    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        prev_output = self.tgt_embed(tgt)
        return self.decoder(prev_output, memory, src_mask, tgt_mask)
    def forward(self, src, tgt):
        encoder_padding = padding_mask(src, self.pad_id)
        encoder_out = self.encode(src, src_mask=encoder_padding)
        decoder_out = self.decode(
            tgt, encoder_out, src_mask=encoder_padding, tgt_mask=target_mask(tgt, self.pad_id)
        )
        return self.generator(decoder_out)
