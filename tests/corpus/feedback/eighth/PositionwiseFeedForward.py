# %% wrong: relu_on_the_output_too | TRUE CAUSE: a second ReLU is put on the result of w_2, as if each layer had one; Eq. 2 has a ReLU only between the layers, and the output must be able to be negative.
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
        output = F.relu(self.w_2(kept))  # (N, T, D)
        return output


# %% wrong: functional_dropout_always_on | TRUE CAUSE: F.dropout is called without training=self.training; its default is training=True, so hidden numbers are dropped in eval mode as well.
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        hidden = F.relu(self.w_1(x))  # (N, T, d_ff)
        kept = F.dropout(hidden, self.p)
        return self.w_2(kept)  # (N, T, D)


# %% wrong: dropout_last_and_no_first_bias | TRUE CAUSE: two mistakes: dropout is applied to the output of w_2 instead of to the hidden numbers; and w_1 is made with bias=False, so b_1 is missing.
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.relu(self.w_1(x))  # (N, T, d_ff)
        return self.dropout(self.w_2(hidden))  # (N, T, D)
