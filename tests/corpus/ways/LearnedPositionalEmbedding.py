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


# %% right: tenth_own_parameter_table
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.places = nn.Parameter(torch.randn(max_len, d_model))
        self.rate = dropout

    def forward(self, x):
        T, limit = x.shape[1], self.places.shape[0]
        if T > limit:
            raise ValueError(f"{T} positions, but the table has {limit} rows")
        return F.dropout(x + self.places[:T], p=self.rate, training=self.training)
# %% right: tenth_own_ids_for_each_sentence
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        N, T, _ = x.shape
        if not T <= self.embedding.num_embeddings:
            raise ValueError("x is longer than max_len")
        ids = torch.arange(T, device=x.device).expand(N, T)
        return self.drop(self.embedding(ids) + x)


# %% right: eleventh_own_parameter_slice
class LearnedPositionalEmbedding(nn.Module):
    """The table is a plain parameter; the first T rows are those of the positions."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))
        self.p = dropout

    def forward(self, x):
        steps = x.size(1)
        if steps > self.table.size(0):
            raise ValueError(f"{steps} positions, but the table has {self.table.size(0)} rows")
        return F.dropout(x + self.table[:steps], self.p, self.training)

# %% right: eleventh_own_ids_for_each_sentence
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        n, t, _ = x.shape
        if not t <= self.embedding.num_embeddings:
            raise ValueError(f"too long: {t} > {self.embedding.num_embeddings}")
        ones = torch.ones(n, t, dtype=torch.long, device=x.device)
        places = ones.cumsum(dim=1) - 1  # 0, 1, 2, ... in each sentence
        return self.dropout(self.embedding(places) + x)


# %% right: twelfth_own_parameter_as_table
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model))
        self.p = dropout

    def forward(self, x):
        n, t, d = x.shape
        if t > self.table.shape[0]:
            raise ValueError(f"no row for position {t - 1}")
        ids = torch.arange(t, device=x.device).expand(n, t)
        return F.dropout(x + self.table[ids], self.p, training=self.training)

# %% right: twelfth_own_word_by_word
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)

    def row(self, number, device):
        return self.embedding(torch.tensor(number, device=device))

    def forward(self, x):
        if x.size(1) > self.embedding.num_embeddings:
            raise ValueError("too many positions")
        summed = [word + self.row(t, x.device) for t, word in enumerate(x.unbind(dim=1))]
        return self.drop(torch.stack(summed, dim=1))
