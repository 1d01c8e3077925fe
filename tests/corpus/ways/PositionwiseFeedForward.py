# %% right: threshold
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.threshold(self.w_1(x), 0.0, 0.0)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output


# %% right: functional_linear
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.rate = dropout

    def forward(self, x):
        hidden = x @ self.w_1.weight.T + self.w_1.bias
        hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
        hidden = F.dropout(hidden, p=self.rate, training=self.training)
        return hidden @ self.w_2.weight.T + self.w_2.bias


# %% right: own_functional_in_one_line
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        return self.w_2(F.dropout(self.w_1(x).relu(), self.p, training=self.training))

# %% right: own_einsum_with_the_weights
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_2 = nn.Linear(d_ff, d_model)
        self.w_1 = nn.Linear(d_model, d_ff)
        self.drop = nn.Dropout(dropout)

    @staticmethod
    def _apply_layer(layer, t):
        return torch.einsum("...i,oi->...o", t, layer.weight) + layer.bias

    def forward(self, x):
        asked = self._apply_layer(self.w_1, x)
        yes = torch.where(asked > 0, asked, torch.zeros_like(asked))
        return self._apply_layer(self.w_2, self.drop(yes))
