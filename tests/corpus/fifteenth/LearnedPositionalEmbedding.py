# %% wrong: nanogpt-always-from-zero | as in nanoGPT the position ids are arange(0, t): `start` is only used in the length test, so a later piece of a text gets the first rows again.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.block_size = max_len
        self.wpe = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        device = x.device
        b, t, c = x.size()
        if start + t > self.block_size:
            raise ValueError(f"Cannot forward {start + t} positions, block size is {self.block_size}")
        pos = torch.arange(0, t, dtype=torch.long, device=device)
        pos_emb = self.wpe(pos)
        return self.drop(x + pos_emb)

# %% wrong: tensor-with-requires-grad | the table is a plain tensor with requires_grad=True and no nn.Parameter: parameters() does not have it, so no optimizer trains it, and it is neither saved nor moved.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.table = torch.randn(max_len, d_model, requires_grad=True)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        stop = start + x.size(1)
        if stop > self.max_len:
            raise ValueError(f"{stop} positions, but the table has {self.max_len}")
        return self.dropout(x + self.table[start:stop])

# %% wrong: ids-on-the-cpu | the ids are made from a Python range without a device, so they are on the CPU also when x and the table are elsewhere: the lookup fails on a GPU.
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
        position = torch.tensor(list(range(start, end)))
        output = self.dropout(x + self.embedding(position))
        return output

# %% wrong: clamped-and-half-dropped | two mistakes: positions past the end are clamped to the last row instead of raising ValueError; and dropout acts on the positions' vectors only, not on the sum.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.rows = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, start=0):
        last = self.rows.num_embeddings - 1
        where = (start + torch.arange(x.size(1), device=x.device)).clamp(max=last)
        return x + self.dropout(self.rows(where))

# %% right: sliced-parameter
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_emb = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.trunc_normal_(self.pos_emb, std=0.02)
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        rows = self.pos_emb[start : start + x.shape[1]]
        if len(rows) < x.shape[1]:
            raise ValueError(f"no rows for {start + x.shape[1]} positions")
        return self.drop(x + rows.unsqueeze(0))
