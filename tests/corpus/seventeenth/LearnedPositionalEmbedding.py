# %% wrong: ignores-start | The ids are always 0 to T - 1; start is left out, so a piece that begins further on gets the rows of the beginning.
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

# %% wrong: ids-on-the-cpu | The ids are made without a device and so lie on the CPU wherever x is; the fine print wants them on the device of x.
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

# %% wrong: frozen-from-pretrained | The table is made with from_pretrained, which freezes it by default, so the positions are never trained; they should be learned.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(torch.randn(max_len, d_model) * 0.02)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(f"{end} positions, but max_len={self.max_len}")
        return self.dropout(x + self.embedding(torch.arange(start, end, device=x.device)))

# %% wrong: fairseq-offset | The rows are counted from 2 on, as in fairseq, where the first rows are kept for padding, and the table has two rows more than max_len; here each position has its own row of max_len rows, position 0 the first.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.padding_idx = 1
        self.embedding = nn.Embedding(max_len + self.padding_idx + 1, d_model, self.padding_idx)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        bsz, seq_len, _ = x.shape
        if start + seq_len > self.max_len:
            raise ValueError(f"sequence length {start + seq_len} above maximum {self.max_len}")
        positions = torch.arange(seq_len, device=x.device) + start + self.padding_idx + 1
        positions = positions.expand(bsz, seq_len)
        return self.dropout(x + self.embedding(positions))

# %% wrong: places-in-the-batch | The ids count the sentences of the batch, axis 0, not the words, so all words of a sentence get the same vector.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        if start + x.size(1) > self.max_len:
            raise ValueError(f"no row for position {start + x.size(1) - 1}")
        position = torch.arange(x.size(0), device=x.device).unsqueeze(1)
        position = (position + start).clamp(max=self.max_len - 1)
        return self.dropout(x + self.embedding(position))

# %% wrong: clamps-to-the-last | Positions past the table take its last row by a clamp, where a ValueError is demanded.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_len, d_model))
        nn.init.normal_(self.weight, std=0.02)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        steps = torch.arange(start, start + x.size(1), device=x.device)
        rows = self.weight[steps.clamp_max(self.max_len - 1)]
        return self.dropout(x + rows)

# %% wrong: buffer-and-dropout | Two mistakes. The table is a buffer, so it is saved but never learned; and dropout acts on the positions' vectors alone instead of on the sum.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + x.size(1)
        if end > self.max_len:
            raise ValueError(f"got {end} positions, but there are {self.max_len}")
        return x + self.dropout(self.table[start:end])

# %% wrong: bert-position-ids | A buffer of position ids is sliced from start to T instead of from start to start + T (the end of a slice taken for its length), so for start > 0 there are too few ids, or none.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("position_ids", torch.arange(max_len), persistent=False)
    def forward(self, x, start=0):
        seq_length = x.size(1)
        if start + seq_length > self.max_len:
            raise ValueError(f"{start + seq_length} positions, but max_len={self.max_len}")
        position_ids = self.position_ids[start:seq_length]
        return self.dropout(x + self.embedding(position_ids))

# %% right: sliced-parameter
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_embed = nn.Parameter(torch.zeros(1, max_len, d_model))
        nn.init.normal_(self.pos_embed, std=0.02)
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        room = self.pos_embed.size(1)
        if start + x.size(1) > room:
            raise ValueError(f"{start + x.size(1)} positions, but only {room} rows")
        return self.drop(x + self.pos_embed.narrow(1, start, x.size(1)))

# %% right: gpt2-past-length
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        batch, length = x.shape[:2]
        if start + length > self.max_len:
            raise ValueError(f"cannot place {start + length} of {self.max_len}")
        ones = torch.ones(batch, length, dtype=torch.long, device=x.device)
        position_ids = ones.cumsum(1) - 1 + start
        return self.drop(self.wpe(position_ids) + x)
