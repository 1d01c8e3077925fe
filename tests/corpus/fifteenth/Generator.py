# %% wrong: softmax-over-positions | log-softmax runs over dim 1, which is time in (N, T, V): the probabilities of one word sum to 1 over the positions, not those of the vocabulary at each position.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs

# %% wrong: last-position-only | as nanoGPT does at inference only the last position is projected: x[:, -1] gives (N, V) for (N, T, D), so the predictions at the other positions are lost (and (N, D) loses its features).
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        x = x[:, -1]
        logits = self.proj(x)
        return F.log_softmax(logits, dim=-1)

# %% wrong: projection-in-a-sequential | proj is an nn.Sequential of the linear layer and the log-softmax: it is no nn.Linear and has no `weight`, which the model asks for when it ties.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Sequential(nn.Linear(d_model, vocab_size), nn.LogSoftmax(dim=-1))
    def forward(self, x):
        return self.proj(x)

# %% wrong: log-after-softmax | the logarithm is taken after the softmax, with 1e-9 added against log(0): probabilities that were rounded to 0 all become log(1e-9), about -20.7, so unlikely words are wrong and without gradient.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.softmax = nn.Softmax(dim=-1)
    def forward(self, x):
        probs = self.softmax(self.proj(x))
        return torch.log(probs + 1e-9)

# %% right: minus-logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        scores = self.proj(x)
        return scores - scores.logsumexp(dim=-1, keepdim=True)
