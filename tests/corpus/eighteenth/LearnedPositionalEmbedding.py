# %% wrong: nanogpt-always-from-zero | The ids run from 0 to T - 1 whatever `start` is, so a piece of text that begins further on gets the rows of the beginning. They have to run from start to start + T - 1.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.wpe = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        b, t, _ = x.size()
        if start + t > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + t} positions, "
                f"but was made for max_len={self.max_len}"
            )
        pos = torch.arange(0, t, dtype=torch.long, device=x.device)
        pos_emb = self.wpe(pos)
        return self.drop(x + pos_emb)

# %% wrong: axis-of-sentences | Axis 0 is taken for time (T, N, D), but x is batch first, (N, T, D). The rows are looked up for the N sentences and put on axis 0, so all words of a sentence get the same vector, that of the sentence's number in the batch.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        end = start + len(x)
        if end > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {end} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(start, end, device=x.device).unsqueeze(1)
        return self.dropout(x + self.embedding(position))

# %% wrong: offset-of-two | The table has two rows more, and position p looks up row p + 2, as in OPT and BART, where the first rows are kept for padding. Here each position has its own row in a table of max_len rows: position p is row p.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.offset = 2
        self.embedding = nn.Embedding(max_len + self.offset, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        bsz, seq_len = x.shape[:2]
        if start + seq_len > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + seq_len} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position = torch.arange(
            start, start + seq_len, dtype=torch.long, device=self.embedding.weight.device
        )
        hidden_states = x + self.embedding(position + self.offset)
        return self.dropout(hidden_states)

# %% wrong: table-in-a-buffer | The table is registered as a buffer, with random numbers. A buffer is no parameter, gets no gradient and is never trained, but these positions are to be learned.
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, d_model))
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        rows = self.table[start:][:length]
        return self.dropout(x + rows)

# %% wrong: ids-on-the-cpu | The ids are made without a device, so they always lie on the CPU. They have to be made on the device of x, or the lookup fails on a GPU.
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
        position = torch.tensor(list(range(start, end)), dtype=torch.long)
        output = self.dropout(x + self.embedding(position))
        return output

# %% right: sliced-parameter
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.pos_embed = nn.Parameter(torch.empty(1, max_len, d_model))
        nn.init.trunc_normal_(self.pos_embed, std=0.02)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
    def forward(self, x, start=0):
        length = x.size(1)
        if start + length > self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        return self.dropout(x + self.pos_embed.narrow(1, start, length))

# %% right: bert-position-ids
class LearnedPositionalEmbedding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=512):
        super().__init__()
        self.position_embeddings = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)
        self.max_len = max_len
        self.register_buffer("position_ids", torch.arange(max_len).unsqueeze(0), persistent=False)
    def forward(self, x, start=0):
        seq_length = x.size(1)
        if not start + seq_length <= self.max_len:
            raise ValueError(
                f"LearnedPositionalEmbedding got {start + seq_length} positions, "
                f"but was made for max_len={self.max_len}"
            )
        position_ids = self.position_ids[:, start : start + seq_length].to(x.device)
        embeddings = x + self.position_embeddings(position_ids)
        return self.dropout(embeddings)
