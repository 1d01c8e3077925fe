# %% wrong: no_relu | TRUE CAUSE: the ReLU is missing, so the two layers are one linear map
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output


# %% wrong: relu_at_the_end | TRUE CAUSE: the ReLU stands after the second layer instead of between the two, so no output is negative
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x)  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept).relu()  # (N, T, D)
        return output


# %% wrong: dropout_result_unused | TRUE CAUSE: the hidden numbers with dropout are computed, but w_2 gets those without it
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


# %% wrong: sizes_swapped | TRUE CAUSE: both layers have their sizes the wrong way round: w_1 takes d_ff and w_2 takes d_model numbers (fits only where both are equal)
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_ff, d_model)
        self.w_2 = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output


# %% wrong: python_max | TRUE CAUSE: Python's own max compares a tensor of many numbers with 0, which has no single truth value (an error except for one number)
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = max(0, self.w_1(x))  # (N, T, d_ff)
        kept = self.dropout(hidden)
        output = self.w_2(kept)  # (N, T, D)
        return output


# %% wrong: residual_added | TRUE CAUSE: x is added to the output, which is the task of SublayerConnection
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
        output = self.w_2(kept) + x  # (N, T, D)
        return output


# %% wrong: dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training, so it drops in eval mode as well
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        return self.w_2(F.dropout(F.relu(self.w_1(x)), self.p))


# %% wrong: gelu | TRUE CAUSE: GELU stands in place of the ReLU, so a little of what is negative gets through
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.activation = nn.GELU()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.activation(self.w_1(x))
        return self.w_2(self.dropout(hidden))


# %% wrong: no_bias_and_dropout_on_the_output | TRUE CAUSE: two mistakes: the second layer has no bias, and dropout acts on the output instead of on the hidden numbers
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).clamp(min=0)
        output = self.dropout(self.w_2(hidden))
        return output
