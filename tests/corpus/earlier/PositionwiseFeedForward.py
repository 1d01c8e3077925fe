# %% wrong: own_dropout_does_not_rescale | The hand-made dropout sets numbers to 0 but does not divide the others by 1 - p, so in train mode the hidden numbers are too small on average.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.rate = dropout
    def drop(self, hidden):
        if not self.training:
            return hidden
        survives = torch.rand_like(hidden) >= self.rate
        return hidden * survives
    def forward(self, x):
        return self.w_2(self.drop(F.relu(self.w_1(x))))

# %% wrong: own_mask_drawn_once | the dropout mask is drawn once in __init__, one number for each hidden feature, so in train mode the same hidden numbers are dropped in every call and at every position
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
