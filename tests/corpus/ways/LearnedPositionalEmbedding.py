# %% right: ids_by_counting_up
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)  # blank: learned_table
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)  # blank: learned_time_axis
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.ones(length, dtype=torch.long, device=x.device).cumsum(0) - 1  # (T,); blank: learned_position
        output = self.dropout(torch.add(self.embedding(position), x))  # blank: learned_sum
        return output


# %% right: ids_for_the_whole_batch
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        batch, length, _ = x.shape
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        ids = torch.arange(length, device=x.device).repeat(batch, 1)  # (N, T)
        return self.dropout(self.embedding(ids) + x)


# %% right: own_counts_by_cumsum
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.p = dropout

    def forward(self, x):
        if x.size(1) > self.embedding.num_embeddings:
            raise ValueError("this sentence is longer than the table of positions")
        ones = torch.ones(x.shape[:2], dtype=torch.long, device=x.device)
        places = ones.cumsum(dim=1) - 1  # (N, T)
        return F.dropout(x + self.embedding(places), self.p, self.training)

# %% right: own_first_rows_of_the_table
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        _, T, _ = x.shape
        rows = self.embedding.weight[:T]
        if len(rows) < T:
            raise ValueError(f"max_len is {len(rows)}, but x has {T} positions")
        return self.drop(x + rows[None, :, :])
