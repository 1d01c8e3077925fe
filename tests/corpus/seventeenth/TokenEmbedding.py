# %% wrong: no-scale | The looked-up vectors are returned as they are; the multiplication by the root of d_model (section 3.4) is left out.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors
        return scaled

# %% wrong: divides | The vectors are divided by the root of d_model, as the scores of attention are, instead of multiplied by it.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model
    def forward(self, ids):
        vectors = self.embedding(ids)
        scaled = vectors / math.sqrt(self.d_model)
        return scaled

# %% wrong: scales-the-table-once | The factor is put into the table's start values once in __init__ instead of being applied at each look-up, so what comes out is the table's row itself, and any table that is drawn or loaded later is not scaled at all.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(d_model**0.5)
        self.d_model = d_model
    def forward(self, ids):
        return F.embedding(ids, self.embedding.weight)

# %% wrong: root-of-length | The factor is the root of the size of axis 1 of the result, which is the number of tokens T, not the number of features; batch first, the features are the last axis.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model
    def forward(self, ids):
        rows = self.embedding.weight.index_select(0, ids.flatten())
        vectors = rows.view(*ids.shape, -1)
        return vectors * vectors.size(1) ** 0.5

# %% wrong: bert-norm | Two mistakes. A LayerNorm with learned scale and bias stands in the module, whose only parameter should be the table; and the factor root of d_model is missing (taken for replaced by the norm).
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.d_model = d_model
    def forward(self, ids):
        inputs_embeds = self.embedding(ids)
        embeddings = self.norm(inputs_embeds)
        return embeddings

# %% right: fairseq-embed-scale
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        nn.init.normal_(self.embedding.weight, mean=0, std=d_model**-0.5)
        nn.init.constant_(self.embedding.weight[pad_id], 0)
        self.embed_scale = math.sqrt(d_model)
    def forward(self, ids):
        return self.embed_scale * self.embedding(ids)

# %% right: indexed-rows
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=vocab_size, embedding_dim=d_model)
    def forward(self, ids):
        table = self.embedding.weight
        factor = table.new_tensor(table.shape[1]).sqrt()
        return table[ids] * factor
