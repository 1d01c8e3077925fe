# %% wrong: kept_is_never_used | The second layer reads `hidden` instead of `kept`: the dropped numbers are computed and thrown away, so dropout has no effect in training.
class PositionwiseFeedForward(nn.Module):
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
# %% wrong: relu_after_both_layers | A second ReLU is applied after w_2, as if each layer had one: Eq. 2 has a ReLU between the layers only, and the output may be negative.
class PositionwiseFeedForward(nn.Module):
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
# %% wrong: own_functional_dropout_always_on | F.dropout is called without training=self.training, and its default is True: hidden numbers are dropped in eval mode as well.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout
    def forward(self, x):
        bent = self.w_1(x).relu()
        return self.w_2(F.dropout(bent, self.p))
# %% wrong: own_dropout_without_rescaling | Dropout by hand sets numbers to 0 with probability p but does not divide the others by 1 - p, so in training the hidden numbers are too small on average.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout
    def forward(self, x):
        hidden = self.w_1(x).relu()
        if self.training:
            stays = torch.rand_like(hidden) >= self.p
            hidden = hidden * stays
        return self.w_2(hidden)
