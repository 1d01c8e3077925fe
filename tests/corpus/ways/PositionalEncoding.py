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
