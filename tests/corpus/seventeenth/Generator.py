# %% wrong: plain-probabilities | The result is the softmax, probabilities, instead of their logarithms.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        log_probs = logits.softmax(dim=-1)
        return log_probs

# %% wrong: log-after-softmax | The logarithm is taken after the softmax in a step of its own, so a probability that is rounded to 0 becomes minus infinity, which the lesson warns of.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        log_probs = F.softmax(logits, dim=-1).log()
        return log_probs

# %% wrong: clamped-probabilities | A small number is added to the softmax before the logarithm so that it stays finite, which keeps very unlikely words at about -20.7 instead of their true log-probability, and gives them no gradient.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.eps = 1e-9
    def forward(self, x):
        probabilities = torch.softmax(self.proj(x), dim=-1)
        return torch.log(probabilities + self.eps)

# %% wrong: last-place-only-and-name | Two mistakes. Only the vectors of the last position are projected, as in a decoding loop, so (N, T, D) becomes (N, V), while every position needs its prediction; and the layer is called lm_head, not proj.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        newest = x[:, -1] if x.dim() == 3 else x
        return F.log_softmax(self.lm_head(newest), dim=-1)

# %% right: annotated
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super(Generator, self).__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        return F.log_softmax(self.proj(x), dim=-1)

# %% right: logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        scores = self.proj(x)
        return scores - torch.logsumexp(scores, -1, keepdim=True)
