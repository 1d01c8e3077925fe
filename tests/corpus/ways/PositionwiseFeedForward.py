# %% right: twelfth_own_einsum_with_hand_dropout
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        sizes = [d_model, d_ff, d_model]
        for i in (1, 2):
            setattr(self, f"w_{i}", nn.Linear(sizes[i - 1], sizes[i]))
        self.rate = dropout
    def forward(self, x):
        apply = lambda layer, z: torch.einsum("...i,oi->...o", z, layer.weight) + layer.bias
        h = apply(self.w_1, x)
        h = h * (h > 0)
        if self.training and 0 < self.rate < 1:
            h = h * torch.bernoulli(torch.full_like(h, 1 - self.rate)) / (1 - self.rate)
        elif self.training and self.rate == 1:
            h = h * 0
        return apply(self.w_2, h)
# %% right: eleventh_own_flat_positions
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.between = nn.Sequential(nn.ReLU(), nn.Dropout(dropout))
        self.w_2 = nn.Linear(d_ff, d_model)
    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        for step in (self.w_1, self.between, self.w_2):
            rows = step(rows)
        return rows.reshape(x.shape)
# %% right: field_activation_as_a_module
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, x):
        x = self.w_1(x)
        x = self.relu(x)
        x = self.dropout(x)
        return self.w_2(x)
