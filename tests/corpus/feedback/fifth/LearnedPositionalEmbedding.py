# %% wrong: position_0_as_padding | TRUE CAUSE: padding_idx=0 is left over from the token table: the row of position 0 stays at 0 and is never trained
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

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

# %% wrong: starts_from_sinusoids_and_freezes | TRUE CAUSE: from_pretrained freezes its table unless freeze=False is given: the positions are fixed sinusoids that are never learned
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        # a good start: the sinusoids, which training may then change
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
        position = torch.arange(length, device=x.device)
        return self.dropout(x + self.embedding(position))

# %% wrong: positions_stand_in_a_column | TRUE CAUSE: the ids are made as a column, (T, 1), as in the sinusoids, so the looked-up rows are (T, 1, D): positions line up with the sentences of the batch and not with their tokens
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

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
        position = torch.arange(length, device=x.device).unsqueeze(1)  # blank: learned_position
        output = self.dropout(x + self.embedding(position))  # blank: learned_sum
        return output

# %% wrong: positions_scaled_and_dropped_alone | TRUE CAUSE: two mistakes: the looked-up rows are multiplied by the root of d_model, as if they were tokens, and dropout goes over the positions alone instead of over the sum
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E)."""

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.scale = math.sqrt(d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)
        return x + self.dropout(self.embedding(position) * self.scale)
