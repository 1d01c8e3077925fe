# %% wrong: no_relu | TRUE CAUSE: the ReLU between the two layers is forgotten, so the network is linear
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


# %% wrong: drops_in_eval | TRUE CAUSE: F.dropout is called with the module's p but without training=self.training, so hidden numbers are dropped in eval mode, too
class PositionwiseFeedForward(nn.Module):
    """Send each position through the same two linear layers with a ReLU between (Eq. 2)."""

    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(in_features=d_model, out_features=d_ff)
        self.w_2 = nn.Linear(in_features=d_ff, out_features=d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = self.w_1(x).clamp(min=0)  # (N, T, d_ff)
        kept = F.dropout(hidden, p=self.dropout.p)
        output = self.w_2.forward(kept)  # (N, T, D)
        return output


# %% wrong: gelu_without_bias | TRUE CAUSE: two mistakes: GELU stands in place of the ReLU, and both layers are made without a bias
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.w_2(self.dropout(F.gelu(self.w_1(x))))


# %% wrong: sizes_exchanged | TRUE CAUSE: the sizes of the two layers are exchanged: w_1 goes from d_ff to d_model and w_2 from d_model to d_ff (crash on shapes)
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


# %% wrong: relu_twice | TRUE CAUSE: the ReLU is applied a second time, to the result of w_2, so nothing negative ever comes out
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        zero = x.new_zeros(())
        for layer in (self.w_1, self.w_2):
            if layer is self.w_2:
                x = self.dropout(x)
            x = torch.maximum(zero, x @ layer.weight.T + layer.bias)
        return x
