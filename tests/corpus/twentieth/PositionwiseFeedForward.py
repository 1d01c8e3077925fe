# %% wrong: nanogpt-dropout-at-the-end | Dropout is put on the result of the second layer, as nanoGPT's MLP does, instead of on the hidden units after the ReLU; in train mode features of the output are dropped and no hidden unit is.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.act = nn.ReLU()
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        x = self.w_1(x)
        x = self.act(x)
        x = self.w_2(x)
        x = self.dropout(x)
        return x

# %% wrong: bert-gelu | The activation function is GELU (as in BERT and GPT-2) instead of the ReLU, max(0, .), of Eq. 2; it lets a little through below 0 and bends above it.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.intermediate_act_fn = nn.GELU()
        self.dropout = nn.Dropout(dropout)
    def forward(self, hidden_states):
        hidden_states = self.w_1(hidden_states)
        hidden_states = self.intermediate_act_fn(hidden_states)
        hidden_states = self.dropout(hidden_states)
        return self.w_2(hidden_states)

# %% wrong: functional-dropout-always-on | F.dropout is called without training=self.training; its default is training=True, so it drops hidden units in eval mode too, where dropout must do nothing.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.p = dropout
    def forward(self, x):
        widened = F.linear(x, self.w_1.weight, self.w_1.bias)
        kept = F.dropout(widened.clamp(min=0.0), self.p)
        return F.linear(kept, self.w_2.weight, self.w_2.bias)

# %% wrong: fastspeech-kernel-of-3 | The two layers are convolutions over the words with kernel size 3 instead of 1 (two linear layers), so the result at a position depends on its neighbors too: the network is not position-wise, and has three times the weights.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Conv1d(d_model, d_ff, kernel_size=3, padding=1)
        self.w_2 = nn.Conv1d(d_ff, d_model, kernel_size=3, padding=1)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        output = x.transpose(1, 2)
        output = self.dropout(F.relu(self.w_1(output)))
        output = self.w_2(output)
        return output.transpose(1, 2)

# %% wrong: llama-no-bias-and-dropout-on-the-input | Two mistakes. Both layers are made with bias=False, as in Llama, although Eq. 2 has b_1 and b_2 and both layers have a bias here. And dropout is applied to the input x before the first layer, instead of to the hidden units behind the ReLU.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.w_2(F.relu(self.w_1(self.dropout(x))))

# %% right: functional
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(in_features=d_model, out_features=d_ff)
        self.w_2 = nn.Linear(in_features=d_ff, out_features=d_model)
        self.p = dropout
    def forward(self, x):
        hidden = torch.einsum("...d,fd->...f", x, self.w_1.weight) + self.w_1.bias
        hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
        hidden = F.dropout(hidden, p=self.p, training=self.training)
        return torch.einsum("...f,df->...d", hidden, self.w_2.weight) + self.w_2.bias

# %% right: dropout-before-relu
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.activation = nn.Sequential(nn.Dropout(dropout), nn.ReLU())
        self.w_2 = nn.Linear(d_ff, d_model)
    def forward(self, x):
        return self.w_2(self.activation(self.w_1(x)))
