# %% wrong: start-ignored | The ids always count from 0: `start` does not enter them, so a later piece of a text gets the rows of its beginning.
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

# %% wrong: ids-on-the-cpu | The ids are made on the default device instead of that of x, as the contract asks: on a GPU the lookup fails.
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
        position = torch.arange(start, end)
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: counted-from-one | In the manner of fairseq and RoBERTa, whose positions begin behind a padding row: the first word gets row 1 + start instead of row `start`. Row 0 is never used, and a text that ends exactly at max_len has no row for its last word.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        bsz, seq_len = x.shape[:2]
        if start + seq_len > self.max_len:
            raise ValueError(f"{start + seq_len} positions, max_len={self.max_len}")
        steps = torch.ones(seq_len, dtype=torch.long, device=x.device).cumsum(dim=0)
        positions = steps + start
        return self.dropout(x + self.embedding(positions))

# %% wrong: counts-the-batch | The positions run over the batch, x.size(0), as if x were (T, N, D): each sentence gets one row, that of its place in the batch, for all of its words.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.block_size = max_len
    def forward(self, x, start=0):
        t, b, _ = x.size()
        if start + b > self.block_size:
            raise ValueError(f"Cannot forward {start + b} tokens, block size is {self.block_size}")
        pos = torch.arange(start, start + t, dtype=torch.long, device=x.device)
        pos_emb = self.wpe(pos).unsqueeze(1)
        return self.drop(x + pos_emb)

# %% wrong: dropout-on-the-rows | In the manner of vision transformers, with a parameter (1, max_len, D): dropout acts on the sliced rows alone, where the contract has it act on the sum.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_embedding = nn.Parameter(0.02 * torch.randn(1, max_len, d_model))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        n = x.shape[1]
        if start + n > self.pos_embedding.shape[1]:
            raise ValueError(f"no rows for {start + n} positions")
        x = x + self.dropout(self.pos_embedding[:, start : start + n])
        return x

# %% wrong: last-row-for-all-that-is-past | Positions past max_len get the last row instead of a ValueError, which the contract demands.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        last = self.embedding.num_embeddings - 1
        position = (start + torch.arange(x.size(1), device=x.device)).clamp(max=last)
        return self.dropout(x + F.embedding(position, self.embedding.weight))

# %% right: rows-of-a-parameter
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.rows = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.rows, std=0.02)
        self.p = dropout
    def forward(self, x, start=0):
        stop = start + x.shape[1]
        if stop > self.rows.shape[0]:
            raise ValueError(f"position {stop - 1} is past the table of {len(self.rows)} rows")
        return F.dropout(x + self.rows[start:stop], p=self.p, training=self.training)

# %% right: last-of-all-ids
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        batch, length, _ = x.shape
        if start + length > self.max_len:
            raise ValueError(f"{start + length} positions, but only {self.max_len} rows")
        ids = torch.arange(start + length, device=x.device)[start:].expand(batch, -1)
        return self.dropout(x + self.embedding(ids))
