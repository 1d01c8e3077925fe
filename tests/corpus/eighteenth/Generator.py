# %% wrong: plain-softmax | The module returns probabilities, the softmax alone. It has to return log-probabilities.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        return F.softmax(logits, dim=-1)

# %% wrong: logits-as-lm-head | The logits are returned as they come out of the linear layer, as most models do and leave the rest to the loss. This Generator has to take the log-softmax itself.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.d_model, self.vocab_size = d_model, vocab_size
        self.proj = nn.Linear(self.d_model, self.vocab_size, bias=False)
    def forward(self, hidden_states):
        lm_logits = self.proj(hidden_states)
        return lm_logits

# %% wrong: softmax-over-axis-1 | The log-softmax is taken over axis 1. That is the vocabulary only for (N, D); for (N, T, D) it is time, so the probabilities sum to 1 over the positions of a sentence. It has to be the last axis, dim=-1.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.softmax = nn.LogSoftmax(dim=1)
    def forward(self, x):
        return self.softmax(self.proj(x))

# %% wrong: logarithm-after-softmax | The logarithm is taken after the softmax, with 1e-9 added against log(0). Probabilities that are rounded to 0 or smaller than 1e-9 all become about -20.7, and lose their gradient; log-softmax in one step keeps them.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        scores = self.proj(x)
        scores = scores - scores.amax(dim=-1, keepdim=True)
        shares = scores.exp()
        shares = shares / shares.sum(dim=-1, keepdim=True)
        return torch.log(shares + 1e-9)

# %% right: one-number-subtracted
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        logits = F.linear(x, self.proj.weight)
        return logits - torch.logsumexp(logits, dim=-1, keepdim=True)
