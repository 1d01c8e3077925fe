# %% wrong: padding_idx_always_0 | TRUE CAUSE: the table is made with padding_idx=0 instead of pad_id, so with another pad_id the row of the ordinary token 0 is kept at 0 and never trained
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * math.sqrt(self.d_model)
        return scaled
# %% wrong: power_1_then_divided_by_2 | TRUE CAUSE: `self.d_model ** 1 / 2` is (d_model ** 1) / 2 by precedence, so the factor is half of d_model instead of its root (the same only for d_model = 4)
class TokenEmbedding(nn.Module):
    """Look token ids, (N, T), up as vectors scaled by the root of d_model (section 3.4)."""

    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.d_model = d_model

    def forward(self, ids):
        vectors = self.embedding(ids)  # (N, T, D)
        scaled = vectors * (self.d_model ** 1 / 2)
        return scaled
# %% wrong: own_table_scaled_once | TRUE CAUSE: the factor is multiplied into the table when the module is made and forward returns bare rows, so the result is not the root of d_model times the table's rows, and the factor is lost when the table is set anew
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, pad_id)
        with torch.no_grad():
            self.embedding.weight.mul_(d_model**0.5)

    def forward(self, ids):
        return self.embedding(ids)
# %% wrong: own_rows_from_data | TRUE CAUSE: the rows are taken from embedding.weight.data, which is cut off from the graph, so the values are right but no gradient reaches the table and it is never trained
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, pad_id=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        self.factor = d_model**0.5

    def forward(self, ids):
        table = self.embedding.weight.data
        n, t = ids.shape
        return self.factor * table[ids.reshape(-1)].reshape(n, t, -1)
