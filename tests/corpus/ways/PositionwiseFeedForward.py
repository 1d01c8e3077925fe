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


# %% right: tenth_own_matrices
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        z = x @ self.w_1.weight.T + self.w_1.bias
        z = torch.where(z > 0, z, torch.zeros_like(z))
        z = F.dropout(z, p=self.p, training=self.training)
        return z @ self.w_2.weight.T + self.w_2.bias

# %% right: tenth_own_word_by_word
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def one_word(self, word):
        return self.w_2(self.dropout(self.w_1(word).relu()))

    def forward(self, x):
        return torch.stack([self.one_word(word) for word in x.unbind(dim=-2)], dim=-2)


# %% right: eleventh_own_matrices
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.p = dropout
        sizes = [(d_model, d_ff), (d_ff, d_model)]
        self.w_1, self.w_2 = (nn.Linear(a, b) for a, b in sizes)

    def forward(self, x):
        z = torch.einsum("...d,fd->...f", x, self.w_1.weight) + self.w_1.bias
        z = z * (z > 0)
        z = F.dropout(z, self.p, training=self.training)
        return torch.einsum("...f,df->...d", z, self.w_2.weight) + self.w_2.bias
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


# %% right: twelfth_own_matrices_and_where
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        h = torch.addmm(self.w_1.bias, rows, self.w_1.weight.T)
        h = torch.where(h > 0, h, torch.zeros_like(h))
        h = F.dropout(h, self.p, self.training)
        return torch.addmm(self.w_2.bias, h, self.w_2.weight.T).reshape(x.shape)

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
