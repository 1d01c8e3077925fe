# %% right: tenth_own_functional_dropout_and_narrow
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.rate, self.max_len = dropout, max_len
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)
    def rows_for(self, start, count):
        if start + count > self.max_len:
            raise ValueError(f"PositionalEncoding: {count} > {self.max_len}")
        return torch.narrow(self.table, 0, start, count)
    def forward(self, x, start=0):
        _, T, _ = x.shape
        return F.dropout(torch.add(x, self.rows_for(start, T)), self.rate, self.training)
# %% right: field_annotated_with_a_batch_axis
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
        self.register_buffer("pe", pe.unsqueeze(0))
    def forward(self, x, start=0):
        if start + x.size(1) > self.pe.size(1):
            raise ValueError("too long")
        x = x + self.pe[:, start : start + x.size(1)].requires_grad_(False)
        return self.dropout(x)
# %% right: field_computed_in_each_call
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super().__init__()
        self.max_len, self.dropout = max_len, nn.Dropout(dropout)
        self.register_buffer("inv_freq", 1.0 / (10000 ** (torch.arange(0, d_model, 2).float() / d_model)))
    def forward(self, x, start=0):
        end = start + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions, at most {self.max_len}")
        t = torch.arange(start, end, device=x.device).type_as(self.inv_freq)
        angles = torch.outer(t, self.inv_freq)
        emb = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, : x.shape[2]]
        return self.dropout(x + emb)
