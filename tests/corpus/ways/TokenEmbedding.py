# %% right: rows_by_index
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.d_model = d_model

    def forward(self, ids):
        return self.embedding.weight[ids] * self.d_model**0.5


# %% right: scaled_table_looked_up
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.pad_id = pad_id

    def forward(self, ids):
        table = self.embedding.weight
        return F.embedding(ids, table * math.sqrt(table.size(1)), self.pad_id)


# %% right: own_functional_embedding
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.pad = pad_id
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)

    def forward(self, ids):
        table = self.embedding.weight
        return F.embedding(ids, table, padding_idx=self.pad) * table.size(1) ** 0.5

# %% right: own_select_rows_of_the_flat_ids
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.scale = math.sqrt(d_model)

    def forward(self, ids):
        flat = ids.flatten()
        picked = torch.index_select(self.embedding.weight, 0, flat).mul(self.scale)
        return picked.unflatten(0, ids.shape)


# %% right: tenth_own_functional_embedding
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.pad = pad_id
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)

    def forward(self, ids):
        table = self.embedding.weight
        return F.embedding(ids, table, padding_idx=self.pad) * table.shape[1] ** 0.5
# %% right: tenth_own_index_select
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.width, self.factor = d_model, math.sqrt(d_model)

    def forward(self, ids):
        N, T = ids.shape
        rows = torch.index_select(self.embedding.weight, 0, ids.flatten())
        return rows.view(N, T, self.width).mul(self.factor)


# %% right: eleventh_own_functional_lookup
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.pad_id = pad_id

    def forward(self, ids):
        table = self.embedding.weight
        root = math.sqrt(table.shape[1])
        return root * F.embedding(ids, table, padding_idx=self.pad_id)

# %% right: eleventh_own_index_select_flat
class TokenEmbedding(nn.Module):
    """Picks the rows from the flat list of ids, then gives them the shape of ids back."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.factor = d_model**0.5

    def forward(self, ids):
        flat = ids.reshape(-1)
        picked = self.embedding.weight.index_select(0, flat) * self.factor
        return picked.reshape(*ids.shape, picked.size(-1))


# %% right: twelfth_own_one_hot_product
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)

    def forward(self, ids):
        table = self.embedding.weight
        chosen = F.one_hot(ids, num_classes=table.shape[0]).to(table.dtype)
        return chosen @ table * math.sqrt(table.shape[1])

# %% right: twelfth_own_scaled_table_then_rows
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.root = d_model**0.5

    def forward(self, ids):
        return (self.root * self.embedding.weight)[ids]
