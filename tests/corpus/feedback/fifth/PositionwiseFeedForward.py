# %% wrong: clamp_on_the_wrong_side | TRUE CAUSE: max(0, ...) is written as clamp(max=0), which keeps the negative numbers and sets the positive ones to 0: the opposite of the ReLU
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

# %% wrong: always_four_times_as_wide | TRUE CAUSE: the hidden layer is made 4 * d_model wide, as in the paper's sizes, and the argument d_ff is ignored
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, 4 * d_model)
        self.w_2 = nn.Linear(4 * d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: relu_before_the_first_layer | TRUE CAUSE: the ReLU is applied to the input x instead of to what the first layer returns: nothing that is not linear stands between the two layers
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(F.relu(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output

# %% wrong: relu_at_the_end_and_rate_forgotten | TRUE CAUSE: two mistakes: a second ReLU follows the second layer, so the output is never negative, and nn.Dropout() ignores the rate that was passed (it drops half)
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout()

    def forward(self, x):
        x = self.dropout(self.relu(self.w_1(x)))
        x = self.relu(self.w_2(x))
        return x
