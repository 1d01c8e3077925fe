# %% wrong: kept_never_used | TRUE CAUSE: the second layer gets hidden instead of kept, so dropout is computed and never used
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


# %% wrong: functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, so it drops hidden numbers in eval mode as well
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        hidden = F.relu(self.w_1(x))  # (N, T, d_ff)
        kept = F.dropout(hidden, p=self.p)
        return self.w_2(kept)


# %% wrong: residual_inside | TRUE CAUSE: x is added to the output: the residual belongs to the SublayerConnection of lesson 03, not to this network
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).relu()  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = x + self.w_2(kept)  # (N, T, D)
        return output
