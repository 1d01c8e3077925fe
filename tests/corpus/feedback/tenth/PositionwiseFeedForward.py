# %% wrong: kept_is_not_used | TRUE CAUSE: w_2 is applied to hidden rather than to kept, so the dropped numbers are thrown away and dropout has no effect in training.
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(hidden)  # (N, T, D)
        return output

# %% wrong: adds_the_residual | TRUE CAUSE: the remark that the residual of lesson 03 can be added is taken as a task of this module, so x is added to the output, which Eq. 2 does not do.
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
        output = x + self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: own_keep_mask | TRUE CAUSE: the dropout mask is drawn once in __init__ and used in every training call, so the same hidden numbers are dropped at all positions and in all calls, in place of a new draw in each call.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.keep = (torch.rand(d_ff) >= dropout) / (1 - dropout)

    def forward(self, x):
        h = self.w_1(x).clamp(min=0)
        if self.training:
            h = h * self.keep.to(h)
        return self.w_2(h)

# %% wrong: own_matrices | TRUE CAUSE: the bias b_1 is added outside of the maximum, max(0, x W_1) + b_1 rather than max(0, x W_1 + b_1), so the thresholds are all at 0 and the hidden numbers can be negative.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        W1, b1 = self.w_1.weight.T, self.w_1.bias
        W2, b2 = self.w_2.weight.T, self.w_2.bias
        hidden = torch.relu(x @ W1) + b1
        hidden = F.dropout(hidden, self.p, training=self.training)
        return hidden @ W2 + b2
