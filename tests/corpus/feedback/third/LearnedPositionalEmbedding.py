# %% wrong: positions_from_one | TRUE CAUSE: the position ids count from 1 to T instead of from 0, so row 0 is never used and the longest allowed x asks for a row that is not there
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
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output

# %% wrong: batch_axis_as_time | TRUE CAUSE: the length is x.size(0), the number of sentences, not the number of positions
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
        length = x.size(0)  # blank: learned_time_axis
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,); blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output

# %% wrong: position_ids_on_cpu | TRUE CAUSE: torch.arange has no device, so the position ids are made on the CPU wherever x is
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
        position = torch.arange(length)  # (T,); blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output

# %% wrong: padding_idx_left_over | TRUE CAUSE: padding_idx=0 is left over from TokenEmbedding: the row of position 0 is kept at zero and never learned, although position 0 is no padding
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
        position = torch.arange(0, length, device=x.device)  # (T,); blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output

# %% wrong: position_scaled_like_tokens | TRUE CAUSE: the position vectors are multiplied by the root of d_model as the token vectors are, but only tokens are scaled
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.scale = math.sqrt(d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        position = torch.arange(length, device=x.device)
        return self.dropout(x + self.scale * self.embedding(position))

# %% wrong: frozen_table | TRUE CAUSE: the table is made with from_pretrained, which freezes it by default: the positions stay at their first random numbers and are never learned
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        # small numbers to start with
        self.embedding = nn.Embedding.from_pretrained(torch.randn(max_len, d_model) * 0.02)
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
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: last_row_for_all | TRUE CAUSE: looks up the one id length - 1 instead of the ids 0 to T - 1, so all positions get the same vector, that of the last one
class LearnedPositionalEmbedding(nn.Module):
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
        position = torch.tensor([length - 1], device=x.device)
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: fixed_table_and_dropout_before_sum | TRUE CAUSE: two mistakes: the table always has 512 rows whatever max_len says, and dropout is applied to x before the positions are added instead of to the sum
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(512, d_model)
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
        return self.dropout(x) + self.embedding(position)
