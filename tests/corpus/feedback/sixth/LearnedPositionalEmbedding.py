# %% wrong: padding_idx_for_position_0 | TRUE CAUSE: padding_idx=0 was carried over from the token table: position 0 is a real position, and its row stays 0 and is never trained
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)  # blank: learned_table
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)  # blank: learned_time_axis
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,); blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output


# %% wrong: positions_scaled_like_tokens | TRUE CAUSE: the position vectors are multiplied by the root of d_model, which belongs to the token embedding; positions are added as they are
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.d_model = d_model
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions are more than max_len={self.max_len}")
        position = torch.arange(length, device=x.device)  # (T,)
        vectors = self.embedding(position) * math.sqrt(self.d_model)  # (T, D)
        return self.dropout(x + vectors)


# %% wrong: from_one_and_dropout_on_positions | TRUE CAUSE: two mistakes: the positions are counted from 1, so row 0 is never used and a sentence of max_len words has no last row; and dropout is applied to the position vectors only instead of to the sum
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
        position = torch.arange(1, length + 1, device=x.device)  # (T,); blank: learned_position
        output = x + self.dropout(self.embedding(position))  # blank: learned_sum
        return output
