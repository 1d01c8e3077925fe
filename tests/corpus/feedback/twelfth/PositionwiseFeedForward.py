# %% wrong: dropout_on_the_input | TRUE CAUSE: dropout is applied to x before w_1 and not to the hidden numbers after the ReLU (kept is just hidden), so in train mode input features are dropped
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.relu(self.w_1(self.dropout(x)))  # (N, T, d_ff)
        kept = hidden
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: residual_already_inside | TRUE CAUSE: the output adds x to what w_2 returns; the residual belongs to the SublayerConnection around the network, not to Eq. 2
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
        output = x + self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: own_mask_drawn_once | TRUE CAUSE: the dropout mask is drawn once in __init__, one number for each hidden feature, so in train mode the same hidden numbers are dropped in every call and at every position
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        keep = 1 - dropout
        self.register_buffer("mask", (torch.rand(d_ff) < keep).float() / keep, persistent=False)

    def forward(self, x):
        h = self.w_1(x).clamp(min=0)
        if self.training:
            h = h * self.mask
        return self.w_2(h)

# %% wrong: own_bias_after_the_relu | TRUE CAUSE: b_1 is added after the ReLU and not before it, so relu(x W_1) + b_1 stands in place of relu(x W_1 + b_1)
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        h = torch.einsum("...d,fd->...f", x, self.w_1.weight).relu() + self.w_1.bias
        return torch.einsum("...f,df->...d", self.drop(h), self.w_2.weight) + self.w_2.bias
