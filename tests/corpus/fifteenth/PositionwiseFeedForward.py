# %% wrong: nanogpt-mlp | Two mistakes, from nanoGPT's MLP. The nonlinearity is GELU instead of ReLU; and dropout acts on the output of the second layer instead of on the hidden numbers.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.gelu = nn.GELU()
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        x = self.w_1(x)
        x = self.gelu(x)
        x = self.w_2(x)
        x = self.dropout(x)
        return x

# %% wrong: always-four-times | The hidden size is always 4 * d_model, as in Karpathy's FeedFoward; the argument d_ff is ignored.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, 4 * d_model)
        self.w_2 = nn.Linear(4 * d_model, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.w_2(self.dropout(F.relu(self.w_1(x))))

# %% wrong: kernel-of-three | The layers are convolutions with kernel size 3 (as in FastSpeech) instead of linear layers (kernel size 1): each word's result depends on its neighbors, so the network is no longer position-wise, and the weights have the wrong shape.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Conv1d(d_model, d_ff, kernel_size=3, padding=1)
        self.w_2 = nn.Conv1d(d_ff, d_model, kernel_size=3, padding=1)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        output = x.transpose(1, 2)
        output = self.w_2(self.dropout(F.relu(self.w_1(output))))
        return output.transpose(1, 2)

# %% wrong: add-and-norm-inside | As in jadore801120's repository the network also contains the residual and a layer norm: it returns the norm of x plus its output, and the norm adds parameters of its own; the exercise asks for Eq. 2 alone, with nothing else that learns.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.layer_norm = nn.LayerNorm(d_model, eps=1e-6)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        residual = x
        x = self.w_2(self.dropout(F.relu(self.w_1(x))))
        x += residual
        x = self.layer_norm(x)
        return x

# %% wrong: dropped-but-not-rescaled | Dropout is written by hand: hidden numbers are set to 0 in training, but the kept ones are not divided by 1 - p, so they are too small on average compared with eval mode.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout
    def forward(self, x):
        hidden = self.w_1(x).relu()
        if self.training:
            keep = torch.rand_like(hidden) >= self.p
            hidden = hidden * keep
        return self.w_2(hidden)

# %% wrong: relu-at-the-end | The ReLU stands after the second layer instead of between the two: the two linear layers merge into one, and the network can never return a negative number.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        hidden = self.w_1(x)
        kept = self.dropout(hidden)
        output = torch.relu(self.w_2(kept))
        return output

# %% right: annotated-one-line
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super(PositionwiseFeedForward, self).__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.w_2(self.dropout(self.w_1(x).relu()))

# %% right: steps-in-a-row
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.w_2 = nn.Linear(in_features=d_ff, out_features=d_model)
        self.w_1 = nn.Linear(in_features=d_model, out_features=d_ff)
    def drop(self, hidden):
        return F.dropout(hidden, self.p, self.training)
    def forward(self, x):
        for step in (self.w_1, torch.relu, self.drop, self.w_2):
            x = step(x)
        return x
