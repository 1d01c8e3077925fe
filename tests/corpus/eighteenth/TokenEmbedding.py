# %% wrong: gpt2-plain-lookup | The looked-up vectors are returned as they are (as in GPT-2), without the factor of the root of d_model of section 3.4.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        tok_emb = self.embedding(ids)
        return tok_emb

# %% wrong: divided-by-root | The vectors are divided by the root of d_model instead of multiplied by it, as the scores of attention are. They come out d_model times too small.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors / math.sqrt(self.d_model)
        return scaled

# %% wrong: root-of-the-vocabulary | The factor is the root of the number of rows of the table, the vocabulary's size, instead of the root of d_model, the length of a row: the wrong axis of embedding.weight.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model
        self.pad_id = pad_id
    def forward(self, ids):
        table = self.embedding.weight
        root = len(table) ** 0.5
        return F.embedding(ids, table, padding_idx=self.pad_id) * root

# %% wrong: scaled-once-at-the-start | The table itself is multiplied by the root of d_model once, in __init__, and forward returns plain rows. The factor is lost as soon as the weights are drawn anew, loaded or tied: forward has to multiply what it looks up.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))
    def forward(self, ids):
        batch, length = ids.shape
        rows = self.embedding.weight.index_select(0, ids.reshape(-1))
        return rows.view(batch, length, self.d_model)

# %% wrong: learned-factor | The factor is made an nn.Parameter, so that it is trained and saved. The table has to be the module's only parameter, and the factor is the fixed number root of d_model.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.embed_scale = nn.Parameter(torch.tensor(float(d_model)).sqrt())
        self.d_model = d_model
    def forward(self, ids):
        x = self.embed_scale * self.embedding(ids)
        return x

# %% right: one-hot-product
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.embed_scale = d_model**0.5
    def forward(self, ids):
        table = self.embedding.weight
        chosen = F.one_hot(ids, num_classes=table.size(0)).to(table.dtype)
        return self.embed_scale * (chosen @ table)
