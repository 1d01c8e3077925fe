# %% wrong: first_position_as_padding | TRUE CAUSE: the table is made with padding_idx=0 as that of the tokens, so the row of position 0 is zero at the start and never gets a gradient, though position 0 is a real position
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

# %% wrong: positions_scaled_like_tokens | TRUE CAUSE: the looked-up position vectors are multiplied by sqrt(d_model) as in TokenEmbedding, though only the tokens are scaled, so sqrt(d_model) times the row is added
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
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(0, length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position) * math.sqrt(x.size(-1)))
        return output

# %% wrong: own_stacked_time_first | TRUE CAUSE: the per-time slices are stacked along the default dim 0 instead of dim 1, so the result is (T, N, D) instead of (N, T, D)
class LearnedPositionalEmbedding(nn.Module):
    """One learned row for each time step, added step by step."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        slices = x.unbind(1)
        if len(slices) > self.max_len:
            raise ValueError(f"{len(slices)} positions > max_len={self.max_len}")
        ids = torch.arange(len(slices), device=x.device)
        summed = [words + row for words, row in zip(slices, self.embedding(ids))]
        return self.dropout(torch.stack(summed))

# %% wrong: own_rows_from_the_data | TRUE CAUSE: the rows are sliced from self.embedding.weight.data, which is outside the graph, so the table never gets a gradient and the positions are not learned
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        steps = x.size(-2)
        limit = self.embedding.num_embeddings
        if steps > limit:
            raise ValueError(f"cannot place {steps} words, the table has {limit} rows")
        rows = self.embedding.weight.data[:steps]
        return self.dropout(x + rows.expand_as(x))
