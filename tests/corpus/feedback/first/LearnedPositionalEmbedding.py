# %% wrong: sizes_swapped | TRUE CAUSE: the sizes of the table are swapped, d_model rows of max_len numbers
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(d_model, max_len)
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


# %% wrong: batch_is_length | TRUE CAUSE: the length is read from axis 0, the batch, instead of axis 1
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
        length = len(x)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output


# %% wrong: counted_from_one | TRUE CAUSE: positions are counted from 1 to T instead of from 0 to T - 1, so row 0 is never used and the last position of max_len has no row
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
        position = torch.arange(1, length + 1, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output


# %% wrong: all_the_rows | TRUE CAUSE: the positions run over max_len instead of over the length of x, so the sum has the wrong shape or crashes for every shorter sentence
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.shape[1]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(self.max_len, device=x.device)  # (T,)
        output = self.dropout(torch.add(x, self.embedding(position)))
        return output


# %% wrong: first_place_is_padding | TRUE CAUSE: padding_idx=0 is copied from the token table, so position 0 has a row of zeros that is never trained
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
        length = x.shape[-2]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(0, length, 1, device=x.device)  # (T,)
        output = self.dropout(self.embedding(position)[None] + x)
        return output


# %% wrong: places_scaled_too | TRUE CAUSE: the learned positions are multiplied by the root of d_model, which belongs to the tokens only
class LearnedPositionalEmbedding(nn.Module):
    """Add to each vector of x, (N, T, D), a learned vector of its position (Table 3, row E).

    Raises ValueError if x is longer than max_len.
    """

    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=None)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(-2)
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(length).to(x.device)  # (T,)
        output = self.dropout(x + self.embedding(position) * math.sqrt(x.size(-1)))
        return output


# %% wrong: remembers_its_first_length | TRUE CAUSE: the positions of the first call are kept and used in all later calls, whatever their length
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.position = None

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"got {length} positions, but max_len is {self.max_len}")
        if self.position is None:  # no need to make it anew each time
            self.position = torch.arange(length, device=x.device)
        return self.dropout(x + self.embedding(self.position))


# %% wrong: frozen_sinusoids | TRUE CAUSE: the table is made with from_pretrained, which freezes it by default, so the positions are sinusoids that are never learned
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.max_len = max_len
        # a good start is half the training
        self.embedding = nn.Embedding.from_pretrained(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"{length} > {self.max_len}")
        rows = self.embedding(torch.arange(length, device=x.device))
        return self.dropout(x + rows)


# %% wrong: in_place_and_dry | TRUE CAUSE: two at once: the rows are added to x in place, changing the caller's tensor, and the dropout is never applied
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.size(1)
        if length > self.max_len:
            raise ValueError(f"too long: {length} positions, max_len={self.max_len}")
        for t in range(length):
            x[:, t] += self.embedding.weight[t]
        return x
