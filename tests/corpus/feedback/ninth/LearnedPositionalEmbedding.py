# %% wrong: dropout_on_x_alone | TRUE CAUSE: dropout is applied to x before the position is added instead of to the sum, so in train mode the position vectors are never dropped or scaled
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
        output = self.dropout(x) + self.embedding(position)
        return output

# %% wrong: padding_idx_for_positions | TRUE CAUSE: the table is made with padding_idx=0, copied from the tokens, so the row of position 0 starts as zeros and never gets a gradient, although position 0 is a position like any other
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
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: own_number_of_the_sentence | TRUE CAUSE: the ids count along the batch axis (torch.arange(N) with a new axis) instead of along the words, so every word of a sentence gets the same vector, that of the sentence's number in the batch
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        N, T, D = x.shape
        if T > self.embedding.num_embeddings:
            raise ValueError(f"{T} positions are too many")
        ids = torch.arange(N, device=x.device)[:, None].expand(N, T)
        return self.drop(self.embedding(ids) + x)

# %% wrong: own_last_row_for_the_rest | TRUE CAUSE: positions past the table are clamped to its last row, so an x longer than max_len gives a result instead of the ValueError that the docstring asks for
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.p = dropout
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x):
        last = self.embedding.num_embeddings - 1
        where = torch.arange(x.size(1), device=x.device).clamp(max=last)
        return F.dropout(x + self.embedding(where), self.p, self.training)
