# %% wrong: not-scaled | In the manner of GPT and BERT: the plain rows of the table are returned, the factor of section 3.4, the root of d_model, is left out.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.vocab_size = vocab_size
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
    def forward(self, ids):
        tok_emb = self.embedding(ids)
        return tok_emb

# %% wrong: root-of-the-vocabulary | The factor is the root of the table's first size, the number of rows (vocabulary), not of its second, d_model.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
    def forward(self, ids):
        table = self.embedding.weight
        return F.embedding(ids, table) * len(table) ** 0.5

# %% wrong: scaled-once-in-the-table | The table is multiplied by the root of d_model once when it is made, and the lookup is returned as it is: as soon as the table is initialized anew, loaded or trained, the factor is gone. It has to be applied at each lookup.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
        with torch.no_grad():
            self.embedding.weight.mul_(math.sqrt(d_model))
    def forward(self, ids):
        vectors = self.embedding(ids)
        return vectors

# %% wrong: learned-scale | In the manner of x-transformers and others with a learned gain: the factor is an nn.Parameter that training changes; the contract says that the table is the module's only parameter.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.scale = nn.Parameter(torch.ones(1) * d_model**0.5)
    def forward(self, ids):
        x = self.embedding(ids)
        return x * self.scale

# %% wrong: unit-length-first | Each looked-up vector is first brought to length 1 and then multiplied: "a length of about 1" of the initialization was taken for a rule. The length that the table holds is lost.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        unit = F.normalize(vectors, dim=-1)
        scaled = unit * math.sqrt(self.d_model)
        return scaled

# %% right: index-the-table
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.d_model = d_model
        self.pad_id = pad_id
        self.embedding = nn.Embedding(num_embeddings=vocab_size, embedding_dim=d_model)
    def forward(self, ids):
        root = self.d_model**0.5
        rows = self.embedding.weight[ids]
        return torch.mul(rows, root)
