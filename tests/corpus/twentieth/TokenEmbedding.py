# %% wrong: times-d-model | The vectors are multiplied by d_model itself instead of by its root.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors * self.d_model
        return scaled

# %% wrong: divided-by-root | The vectors are divided by the root of d_model, as the scores of attention are, instead of multiplied by it.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model
        self.factor = 1 / math.sqrt(d_model)
    def forward(self, ids):
        return self.factor * F.embedding(ids, self.embedding.weight)

# %% wrong: one-hot-root-of-vocabulary | The factor is the root of the vocabulary's size, read off the wrong axis of the table (rows instead of columns), not that of d_model.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
    def forward(self, ids):
        table = self.embedding.weight
        picked = F.one_hot(ids, num_classes=table.size(0)).to(table.dtype)
        return (picked @ table) * math.sqrt(table.size(0))

# %% wrong: fairseq-scaled-at-init | The factor is multiplied once into the table when it is made, and forward only looks up; so the scale is a start value of the weights, and is gone as soon as they are loaded, drawn anew or tied, instead of being applied to each looked-up vector.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.padding_idx = pad_id
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        nn.init.normal_(self.embedding.weight, mean=0, std=d_model**-0.5)
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))
            self.embedding.weight[pad_id].zero_()
    def forward(self, ids):
        return self.embedding(ids)

# %% wrong: labml-learned-scale | The factor is an nn.Parameter, so it is learned and changes in training, and the table is no longer the module's only parameter.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.scale = nn.Parameter(torch.tensor(math.sqrt(d_model)))
    def forward(self, ids):
        return self.embedding(ids) * self.scale

# %% wrong: max-norm-one | The table is given max_norm=1, from the remark that vectors have a length of about 1; so each lookup shortens longer rows of the table in place, instead of returning the rows as they are.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, max_norm=1.0)
        self.d_model = d_model
    def forward(self, ids):
        found = self.embedding(ids)
        return found * self.d_model**0.5

# %% right: rows-by-index
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        table = torch.randn(vocab_size, d_model) * d_model**-0.5
        self.embedding = nn.Embedding(vocab_size, d_model, _weight=table)
        self.d_model = d_model
    def forward(self, ids):
        root = self.d_model**0.5
        return root * self.embedding.weight[ids]
