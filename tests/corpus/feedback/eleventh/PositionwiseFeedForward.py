# %% wrong: dropout_on_the_output | TRUE CAUSE: dropout is applied to the result of w_2 instead of to the hidden numbers between the ReLU and w_2, so in train mode features of the output become 0
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.relu(self.w_1(x))  # (N, T, d_ff)
        kept = self.w_2(hidden)
        output = self.dropout(kept)  # (N, T, D)
        return output
# %% wrong: training_flag_as_p | TRUE CAUSE: F.dropout's second argument is the probability, but self.training is passed there, so in train mode p is 1 and all hidden numbers become 0 (only the bias of w_2 comes out), while eval mode is right
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).relu()  # (N, T, d_ff)
        kept = F.dropout(hidden, self.training)
        output = self.w_2(kept)  # (N, T, D)
        return output
# %% wrong: own_steps_in_a_plain_list | TRUE CAUSE: the dropout module is kept only in a plain Python list, which does not register it, so eval() never reaches it and hidden numbers are dropped in eval mode too
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.between = [nn.ReLU(), nn.Dropout(dropout)]

    def forward(self, x):
        x = self.w_1(x)
        for step in self.between:
            x = step(x)
        return self.w_2(x)
# %% wrong: own_max_along_axis_0 | TRUE CAUSE: max(0, z) is written as torch.max(z, 0), where the 0 is the axis, so it takes the maximum over the sentences of the batch instead of setting negatives to 0, and the batch axis is lost: (T, D) comes out
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        z = x @ self.w_1.weight.T + self.w_1.bias
        z = torch.max(z, 0)[0]
        z = F.dropout(z, self.p, self.training)
        return z @ self.w_2.weight.T + self.w_2.bias
