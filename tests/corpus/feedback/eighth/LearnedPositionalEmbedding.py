# %% wrong: position_zero_as_padding | TRUE CAUSE: padding_idx=0 is taken over from TokenEmbedding, so the row of the first position is 0 and is never trained.
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


# %% wrong: frozen_sinusoids | TRUE CAUSE: the table is made with nn.Embedding.from_pretrained from the sinusoids, which freezes it: nothing is learned, the positions stay sinusoidal.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.embedding.weight[:length])


# %% wrong: scaled_like_tokens_no_dropout | TRUE CAUSE: two mistakes: the position vectors are multiplied by the root of d_model as the tokens are, and the dropout on the sum is forgotten.
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
        output = x + self.embedding(position) * math.sqrt(x.size(-1))
        return output
