# %% wrong: table_sizes_swapped | TRUE CAUSE: the sizes of the table are swapped: d_model rows of max_len numbers
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(d_model, max_len)  # blank: learned_table
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


# %% wrong: padding_idx_of_the_tokens | TRUE CAUSE: padding_idx=0 was left from TokenEmbedding: position 0 has a row of zeros that is never trained
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


# %% wrong: length_of_the_batch | TRUE CAUSE: the length is read from axis 0, the number of sentences, not the number of words
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


# %% wrong: features_for_positions | TRUE CAUSE: the length is read from the last axis, the number of features
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
        length = x.size(-1)  # blank: learned_time_axis
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,); blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output


# %% wrong: x_not_added | TRUE CAUSE: only the positions' vectors are returned, x is not added
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
        position = torch.arange(length, device=x.device)  # (T,); blank: learned_position
        output = self.dropout(self.embedding(position)).expand_as(x)  # blank: learned_sum
        return output


# %% wrong: dropout_before_the_sum | TRUE CAUSE: dropout is applied to the positions alone, not to the sum
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        places = self.embedding(torch.arange(length, device=x.device))
        return x + self.dropout(places)


# %% wrong: rows_of_the_last_position | TRUE CAUSE: the ids are all the same number, length - 1, so every word gets the row of the last position
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        position = torch.tensor([length - 1], device=x.device)
        return self.dropout(x + self.embedding(position))


# %% wrong: frozen_sinusoids_no_dropout | TRUE CAUSE: two mistakes: the table holds the sinusoids and is frozen (from_pretrained), so nothing is learned, and dropout is not applied
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} positions, but max_len={self.max_len}")
        position = torch.arange(length, device=x.device)
        return x + self.embedding(position)
