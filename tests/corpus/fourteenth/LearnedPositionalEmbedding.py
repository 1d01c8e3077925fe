# %% wrong: positions_always_on_the_cpu | torch.arange is made without device=x.device, so the position ids are on the CPU even if the model and x are on another device, and the lookup fails there.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(start, start + length)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output
# %% wrong: positions_counted_from_1 | The positions run from 1 to length instead of from 0: row 0 is never used, and a sentence of max_len words asks for a row that the table does not have.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(start + 1, start + length + 1, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output
# %% wrong: own_refuses_the_full_length | The guard uses >= : a sentence of exactly max_len words raises ValueError although the table has a row for each of them. Only a longer x may be refused.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        *_, length, _ = x.shape
        if start + length >= self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        ids = torch.arange(start, start + length, device=x.device).expand(x.size(0), length)  # (N, T)
        summed = torch.add(x, self.embedding(ids))
        return self.dropout(summed)
# %% wrong: own_rows_taken_from_data | The rows are read through .data, which cuts them off from autograd: no gradient reaches the table, so the positions are never learned.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        length = x.shape[1]
        if start + length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        rows = self.embedding.weight.data[start : start + length]
        return self.dropout(x + rows.unsqueeze(0))
