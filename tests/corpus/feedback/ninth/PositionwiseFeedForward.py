# %% wrong: kept_is_never_used | TRUE CAUSE: output is self.w_2(hidden) instead of self.w_2(kept), so the result of dropout is thrown away and nothing is ever dropped in train mode
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(hidden)  # (N, T, D)
        return output

# %% wrong: clamp_with_max_zero | TRUE CAUSE: max(0, ...) is written as clamp(max=0), which sets an upper limit, so the negative hidden numbers are kept and the positive ones become 0
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).clamp(max=0)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: own_relu_after_both_layers | TRUE CAUSE: the loop applies ReLU and dropout after each of the two layers, so the output of w_2 is made non-negative and is dropped as well
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        sizes = [d_model, d_ff, d_model]
        self.w_1, self.w_2 = (nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.p = dropout

    def forward(self, x):
        for layer in (self.w_1, self.w_2):
            x = F.dropout(layer(x).relu(), self.p, self.training)
        return x

# %% wrong: own_dropout_of_whole_positions | TRUE CAUSE: nn.Dropout1d is used for dropout; on (N, T, d_ff) it zeroes the hidden numbers of a whole position at once instead of each hidden number by itself
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout1d(dropout)

    def forward(self, x):
        h = torch.maximum(self.w_1(x), torch.tensor(0.0))
        return self.w_2(self.drop(h))
