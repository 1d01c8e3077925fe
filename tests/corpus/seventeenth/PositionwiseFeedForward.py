# %% wrong: torch-ff-block-two-dropouts | As in torch's _ff_block, a second dropout acts on the output of the second layer: the student adds the dropout that belongs to the residual connection. Eq. 2 and the task have dropout on the hidden units alone ("Between them stands the ReLU, and then dropout on the hidden units"), and the connection of lesson 03 drops the output already.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout2 = nn.Dropout(dropout)
        self.activation = F.relu
    def _ff_block(self, x):
        x = self.w_2(self.dropout(self.activation(self.w_1(x))))
        return self.dropout2(x)
    def forward(self, x):
        return self._ff_block(x)

# %% wrong: nanogpt-mlp-two | Two mistakes. The activation is GELU, as in GPT-2's MLP, instead of the ReLU of Eq. 2. And dropout acts on the output of the second layer, as nanoGPT has it, instead of on the hidden units between the two.
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

# %% wrong: llama-without-biases | Both layers are made without a bias, as in Llama's feed-forward network. Eq. 2 has b_1 and b_2, and the fine print says that both layers have a bias.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        return self.w_2(self.dropout(F.relu(self.w_1(x))))

# %% wrong: residual-inside | The network adds its input to its output by itself. Eq. 2 has no residual; the text says that the residual connection of lesson 03 adds the two, so x would be added twice in a layer.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        hidden = self.w_1(x).relu()
        kept = self.dropout(hidden)
        output = x + self.w_2(kept)
        return output

# %% wrong: clamp-with-max | max(0, ...) of Eq. 2 is written as clamp(max=0): the student takes clamp's max for the function max, but it is the upper limit, so the negative numbers pass and the positive ones become 0, the opposite of the ReLU.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        widened = torch.einsum("...d,fd->...f", x, self.w_1.weight) + self.w_1.bias
        hidden = torch.clamp(widened, max=0.0)
        narrowed = torch.einsum("...f,df->...d", self.dropout(hidden), self.w_2.weight)
        return narrowed + self.w_2.bias

# %% right: dropout-then-clamp
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(p=dropout)
    def forward(self, x):
        asked = self.drop(self.w_1(x))
        return self.w_2(torch.clamp(asked, min=0.0))

# %% right: fairseq-functional
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.activation_dropout = dropout
        self.w_2 = nn.Linear(d_ff, d_model)
        self.w_1 = nn.Linear(d_model, d_ff)
    def forward(self, x):
        h = x @ self.w_1.weight.t() + self.w_1.bias
        h = torch.where(h > 0, h, torch.zeros_like(h))
        h = F.dropout(h, p=self.activation_dropout, training=self.training)
        return F.linear(h, self.w_2.weight, self.w_2.bias)
