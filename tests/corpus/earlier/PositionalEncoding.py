# %% wrong: own_refuses_exactly_max_len | The comparison is >=, so an x of exactly max_len positions is refused, though only a longer one should be.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model))
        self.drop = nn.Dropout(dropout)
    def forward(self, x, start=0):
        last = self.table.size(0)
        if start + x.size(1) >= last:
            raise ValueError(f"at most {last} positions, got {x.size(1)}")
        return self.drop(torch.add(x, self.table[start : start + x.size(1)]))
# %% wrong: own_positions_run_on_through_the_batch | the batch is flattened to N * T words that get the rows 0 to N * T - 1, so the positions do not start again at 0 in the second sentence (and a batch of more than max_len words raises)
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("encoding", sinusoidal_encoding(max_len, d_model))
    def forward(self, x, start=0):
        max_len = len(self.encoding)
        if start + x.shape[1] > max_len:
            raise ValueError(f"{x.shape[1]} positions are more than max_len={max_len}")
        words = x.reshape(-1, x.shape[-1])
        words = words + self.encoding[start : start + len(words)]
        return self.dropout(words).reshape(x.shape)
# %% wrong: own_refuses_the_full_length | the check is T >= max_len instead of T > max_len, so a sentence of exactly max_len positions raises ValueError although its rows are there
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.p = dropout
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)
    def rows(self, start, T):
        if start + T >= len(self.table):
            raise ValueError(f"no row for position {T}: max_len is {len(self.table)}")
        return self.table[start + torch.arange(T, device=self.table.device)]
    def forward(self, x, start=0):
        N, T, D = x.shape
        return F.dropout(x + self.rows(start, T).expand(N, T, D), self.p, self.training)
