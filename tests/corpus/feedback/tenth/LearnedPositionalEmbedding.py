# %% wrong: padding_idx_as_for_tokens | TRUE CAUSE: the table of positions is given padding_idx=0 like the one of tokens, so the row of position 0, an ordinary position, is 0 and never trained
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output
# %% wrong: positions_scaled_like_tokens | TRUE CAUSE: the position's vector is multiplied by the root of d_model as the token's is, but only tokens are scaled; the plain row should be added
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position) * math.sqrt(x.size(-1)))
        return output
# %% wrong: own_batch_taken_for_time | TRUE CAUSE: axis 0 of x is taken for time, as in (T, N, D), so every word of a sentence gets the vector of the sentence's number in the batch, and the length check counts sentences
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        steps = x.shape[0]
        if steps > self.embedding.num_embeddings:
            raise ValueError(f"no row for position {steps - 1}")
        ids = torch.arange(steps, device=x.device)
        where = self.embedding(ids)[:, None, :]
        return self.drop(x + where)
# %% wrong: own_rows_in_a_plain_list | TRUE CAUSE: the rows are nn.Parameters in a plain Python list, which nn.Module does not look into, so they are not among the module's parameters, are not saved and not trained by the optimizer
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.rows = [nn.Parameter(torch.randn(d_model)) for _ in range(max_len)]
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T = x.size(1)
        if T > len(self.rows):
            raise ValueError(f"{T} positions, but only {len(self.rows)} rows")
        return self.dropout(x + torch.stack(self.rows[:T]))
