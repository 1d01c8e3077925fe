# %% wrong: counts_from_1 | TRUE CAUSE: the positions are counted from 1, so row 0 is never used and a sentence of max_len words asks for a row that does not exist
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
        position = torch.arange(1, length + 1, device=x.device)  # (T,)
        output = self.dropout(x + self.embedding(position))
        return output


# %% wrong: scaled_like_tokens | TRUE CAUSE: the position's vector is multiplied by the root of d_model, which belongs to the token embedding only
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=max_len, embedding_dim=d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        length = x.shape[-2]
        if length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.ones(length, dtype=torch.long, device=x.device).cumsum(0) - 1  # (T,)
        output = self.dropout(torch.add(x, self.embedding(position), alpha=x.size(-1) ** 0.5))
        return output


# %% wrong: padding_idx_0 | TRUE CAUSE: the table is made with padding_idx=0 as for tokens, so the row of position 0 stays 0 and is never trained
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        n, t, d = x.shape
        if t > self.max_len:
            raise ValueError(f"LearnedPositionalEmbedding got {t} > {self.max_len} positions")
        return self.dropout(x + self.embedding(torch.arange(t, device=x.device))[None])


# %% wrong: clamped_and_detached | TRUE CAUSE: two mistakes: positions past the table are clamped to the last row instead of raising a ValueError, and the rows are detached, so the table never learns
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len

    def forward(self, x):
        position = torch.arange(x.size(1), device=x.device).clamp(max=self.max_len - 1)
        rows = self.embedding.weight.detach()[position]
        return self.dropout(x + rows)


# %% wrong: dropout_on_positions_only | TRUE CAUSE: dropout is applied to the position's vectors alone instead of to the sum
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
        position = torch.arange(length, device=x.device)  # (T,)
        output = x + self.dropout(self.embedding(position))
        return output
