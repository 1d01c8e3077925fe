# %% wrong: from-pretrained-frozen | the table is made with nn.Embedding.from_pretrained, which freezes it by default (freeze=True, so requires_grad is False): it has no gradient and never learns.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        start = torch.randn(vocab_size, d_model) * d_model**-0.5
        start[pad_id] = 0.0
        self.embedding = nn.Embedding.from_pretrained(start, padding_idx=pad_id)
        self.scale = d_model**0.5
    def forward(self, ids):
        return self.scale * self.embedding(ids)

# %% wrong: annotated-lut-name | as in the Annotated Transformer the table is called `lut`, so the module has no `embedding.weight`, the name that the notebook fixes for it and lesson 08 asks for.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super(TokenEmbedding, self).__init__()
        self.lut = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, x):
        return self.lut(x) * math.sqrt(self.d_model)

# %% wrong: scaled-once-at-the-start | the factor sqrt(d_model) is multiplied into the table once when it is made, and forward only looks up: with any other weights (loaded, drawn anew) the result is not scaled.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))
    def forward(self, ids):
        return self.embedding(ids)

# %% wrong: root-of-the-length | the vectors are multiplied by the root of the number of tokens (size(1), the time axis) and not by the root of d_model.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors * math.sqrt(vectors.size(1))
        return scaled

# %% right: rows-by-index
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
    def forward(self, ids):
        table = self.embedding.weight
        return table[ids] * table.size(1) ** 0.5
