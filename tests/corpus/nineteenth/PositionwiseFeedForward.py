# %% wrong: gelu | The activation between the layers is GELU, as in BERT and GPT-2, and not the ReLU that Eq. 2 and the task ask for.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.act = nn.GELU()
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, hidden_states):
        intermediate = self.act(self.w_1(hidden_states))
        intermediate = self.dropout(intermediate)
        return self.w_2(intermediate)

# %% wrong: dropout-on-the-output | Dropout comes after the second layer, on the output, as in nanoGPT's MLP; it belongs on the hidden units, between the ReLU and w_2.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        x = self.w_1(x)
        x = F.relu(x)
        x = self.w_2(x)
        x = self.dropout(x)
        return x

# %% wrong: functional-dropout-always-on | F.dropout is called without training=self.training; its default is True, so hidden units are dropped in eval mode, too, while dropout must act in train mode only.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.rate = dropout
    def forward(self, x):
        wide = torch.relu(self.w_1(x))
        return self.w_2(F.dropout(wide, self.rate))

# %% wrong: no-bias | Both layers are made with bias=False, as in Llama, so b_1 and b_2 of Eq. 2 are missing; the contract says that both layers have a bias.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.w_2(self.dropout(F.relu(self.w_1(x))))

# %% wrong: clamp-max | max(0, ...) is written as clamp(max=0), which sets the upper limit and not the lower one: the positive numbers become 0 and the negative ones stay, the opposite of the ReLU.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        hidden = self.w_1(x).clamp(max=0)
        kept = self.dropout(hidden)
        output = self.w_2(kept)
        return output

# %% wrong: add-and-norm-inside | The network adds its input to its result and normalizes the sum itself. That is the work of the Add & Norm around it (lesson 03); here nothing but the two layers may learn, and the result is Eq. 2 alone.
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
        x = x + residual
        return self.layer_norm(x)

# %% wrong: relu-at-the-end-and-rate-ignored | Two mistakes. The ReLU comes after the second layer and not between the two, so the layers merge into one and no negative number can leave. And nn.Dropout() is made without the rate, so it drops with 0.5 whatever `dropout` says.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout()
        self.relu = nn.ReLU()
    def forward(self, x):
        out = self.w_1(x)
        out = self.dropout(out)
        out = self.w_2(out)
        return self.relu(out)

# %% right: einsum
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.p = dropout
    def forward(self, x):
        asked = torch.einsum("...d,fd->...f", x, self.w_1.weight) + self.w_1.bias
        asked = asked * (asked > 0)
        asked = F.dropout(asked, p=self.p, training=self.training)
        return torch.einsum("...f,df->...d", asked, self.w_2.weight) + self.w_2.bias

# %% right: three-modules-in-a-row
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.between = nn.Sequential(nn.ReLU(), nn.Dropout(dropout))
        self.w_2 = nn.Linear(d_ff, d_model)
    def forward(self, x):
        for part in (self.w_1, self.between, self.w_2):
            x = part(x)
        return x
