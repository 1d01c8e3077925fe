# %% wrong: own_transposed_before_flattening | ids.T is flattened, which lists the tokens time first, but the looked-up rows are laid out as (N, T, D), so the vectors land at the wrong sentences and places
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = d_model**0.5
    def forward(self, ids):
        count, length = ids.shape
        rows = torch.index_select(self.embedding.weight, 0, ids.T.flatten())
        return self.factor * rows.reshape(count, length, -1)

# %% wrong: own_scaled_table_made_once | __init__ stores a detached scaled copy of the table and forward looks up in this copy, so weights that are loaded or trained later do not change the result and embedding.weight gets no gradient
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        table = self.embedding.weight.detach() * math.sqrt(d_model)
        self.register_buffer("table", table, persistent=False)
    def forward(self, ids):
        return torch.stack([self.table[sentence] for sentence in ids])

# %% wrong: own_one_hot_without_the_vocabulary_size | F.one_hot(ids) without num_classes makes only max(ids) + 1 columns, so the product with the table has fitting sizes only if the batch happens to hold the last id.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = d_model**0.5
    def forward(self, ids):
        table = self.embedding.weight
        chosen = F.one_hot(ids).to(table.dtype)  # a 1 at the token's row
        return self.factor * (chosen @ table)
