# %% wrong: residual_inside_the_network | TRUE CAUSE: x is added to the output, but the residual belongs to the SublayerConnection around the network and not to Eq. 2
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


# %% wrong: functional_dropout_never_off | TRUE CAUSE: F.dropout is called without training=self.training, and its default is training=True, so hidden numbers are dropped in eval mode as well
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        hidden = F.relu(self.w_1(x))
        return self.w_2(F.dropout(hidden, p=self.p))


# %% wrong: sequential_with_dropout_at_the_end | TRUE CAUSE: two mistakes: the layers are hidden in a Sequential, so the module has no w_1 and w_2, and dropout comes after the second layer, on the output, instead of on the hidden numbers
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_model, d_ff),
            nn.ReLU(),
            nn.Linear(d_ff, d_model),
            nn.Dropout(dropout),
        )

    def forward(self, x):
        return self.net(x)
