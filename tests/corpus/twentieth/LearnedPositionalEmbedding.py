# %% wrong: start-ignored | The ids always count from 0 and never use start; so a later piece of a text gets the vectors of the first positions.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(x.size(1), device=x.device)
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: nanogpt-ids-on-cpu | The ids are made on the default device instead of on that of x, so the lookup fails as soon as the model and x are on another device.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.block_size = max_len
    def forward(self, x, start=0):
        b, t, c = x.size()
        if start + t > self.block_size:
            raise ValueError(
                f"Cannot forward {start + t} positions, block size is only {self.block_size}"
            )
        pos = torch.arange(start, start + t, dtype=torch.long).unsqueeze(0)
        return self.drop(x + self.wpe(pos))

# %% wrong: hf-offset-of-two | Positions are shifted by 2 in a table with 2 rows more, as BART and OPT do for padding; so the table has more than max_len rows, position 0 is not its row 0, and two rows are never used.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.offset = 2
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len + self.offset, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        bsz, seq_len = x.shape[:2]
        if start + seq_len > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + seq_len} positions, "
                f"but was made for max_len={self.max_len}"
            )
        positions = torch.arange(start, start + seq_len, dtype=torch.long, device=x.device)
        positions = positions.expand(bsz, -1)
        return self.dropout(x + self.embedding(positions + self.offset))

# %% wrong: counts-the-batch | The ids are counted along the batch (x.size(0)) instead of along time; so all words of one sentence get the same vector, that of the sentence's place in the batch.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(x.size(0), device=x.device).add(start).unsqueeze(1)
        return self.dropout(x + self.embedding(position))

# %% wrong: from-pretrained-frozen | The table is made by nn.Embedding.from_pretrained from the sinusoids, whose default is freeze=True; so its rows get no gradient, and the positions are not learned.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        rows = self.embedding.num_embeddings
        if start + x.size(1) > rows:
            raise ValueError(f"LearnedPositionalEmbedding has {rows} rows, but got more positions")
        position = torch.arange(start, start + x.size(1), device=x.device)
        return self.dropout(x + self.embedding(position))

# %% wrong: d2l-dropout-before-the-sum | With a table as nn.Parameter, dropout is applied to x alone before the position is added, not to the sum of the two.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_embedding = nn.Parameter(0.02 * torch.randn(1, max_len, d_model))
        self.dropout = nn.Dropout(dropout)
    def forward(self, X, start=0):
        end = start + X.shape[1]
        if end > self.pos_embedding.shape[1]:
            raise ValueError(
                f"LearnedPositionalEmbedding got {end} positions, "
                f"but was made for max_len={self.pos_embedding.shape[1]}"
            )
        return self.dropout(X) + self.pos_embedding[:, start:end, :]

# %% right: rows-of-a-parameter
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.max_len = max_len
        self.table = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.table, std=0.02)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        length = x.size(1)
        if not start + length <= self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(self.table[start : start + length] + x)

# %% right: ids-by-cumulated-ones
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        ones = torch.ones(x.shape[:2], dtype=torch.long, device=x.device)
        position = ones.cumsum(dim=1) - 1 + start
        if start + x.shape[1] > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + x.shape[1]} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.embedding(position))
