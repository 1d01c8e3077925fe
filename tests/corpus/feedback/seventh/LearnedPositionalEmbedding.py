# %% wrong: padding_idx_for_positions | TRUE CAUSE: padding_idx=0 is copied from the token table, so the row of position 0 (a real position, not padding) is kept at 0 and never trained
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


# %% wrong: positions_scaled_like_tokens | TRUE CAUSE: the looked-up position vectors are multiplied by the root of d_model as the tokens are; only tokens get that factor, positions are added as they are
class LearnedPositionalEmbedding(nn.Module):

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)
        learned = self.embedding(position) * self.d_model**0.5  # (T, D)
        return self.dropout(x + learned)


# %% wrong: table_made_from_pretrained | TRUE CAUSE: nn.Embedding.from_pretrained freezes its table unless freeze=False is said, so the positions are fixed random vectors that are never learned
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(0.02 * torch.randn(max_len, d_model))
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
