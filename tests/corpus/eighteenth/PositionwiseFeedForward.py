# %% wrong: hf-gelu | The activation is GELU, as in BERT and GPT-2, and not the ReLU of Eq. 2, so a little passes below 0 (and positive numbers are shrunk).
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        intermediate = F.gelu(self.w_1(x))
        intermediate = self.dropout(intermediate)
        return self.w_2(intermediate)

# %% wrong: t5-no-bias | Both linear layers are made with bias=False, as in T5 and Llama. Eq. 2 has b_1 and b_2, and the fine print says that both layers have a bias.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff, bias=False)
        self.w_2 = nn.Linear(d_ff, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.act = nn.ReLU()
    def forward(self, x):
        for step in (self.w_1, self.act, self.dropout, self.w_2):
            x = step(x)
        return x

# %% wrong: mingpt-dropout-at-the-end | Dropout acts on the output of the second layer, as in minGPT's MLP, and not on the hidden units between ReLU and w_2 (the output's dropout is the business of the SublayerConnection).
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.act = nn.ReLU()
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        x = self.w_1(x)
        x = self.act(x)
        x = self.w_2(x)
        x = self.dropout(x)
        return x

# %% wrong: functional-dropout-always-on | F.dropout is called without training=self.training, and its default is training=True, so hidden units are dropped in eval mode too. Dropout acts in train mode only.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        self.dropout_p = dropout
    def forward(self, x):
        hidden = torch.clamp(self.w_1(x), min=0)
        hidden = F.dropout(hidden, p=self.dropout_p)
        return self.w_2(hidden)

# %% wrong: conv-with-neighbors | The two layers are convolutions (as in FastSpeech and some repositories), and the first has kernel size 3 with padding 1, so each position reads its two neighbors as well. The network has to be position-wise; only kernel size 1 would be the same as a linear layer.
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1 = nn.Conv1d(d_model, d_ff, kernel_size=3, padding=1)
        self.w_2 = nn.Conv1d(d_ff, d_model, kernel_size=1)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        channels_first = x.transpose(1, 2)
        hidden = self.dropout(F.relu(self.w_1(channels_first)))
        return self.w_2(hidden).transpose(1, 2)

# %% right: dropout-before-the-relu
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, x):
        questions = self.dropout(self.w_1(x))
        answers = torch.maximum(questions, torch.zeros_like(questions))
        return self.w_2(answers)

# %% right: fairseq-functional
class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.activation_dropout = dropout
        self.w_1 = self.build_layer(d_model, d_ff)
        self.w_2 = self.build_layer(d_ff, d_model)
    @staticmethod
    def build_layer(inputs, outputs):
        return nn.Linear(inputs, outputs, bias=True)
    def forward(self, x):
        h = self.w_1(x)
        h = h * (h > 0)
        h = F.dropout(h, self.activation_dropout, self.training)
        return self.w_2(h)
