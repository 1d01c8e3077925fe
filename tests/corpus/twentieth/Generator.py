# %% wrong: log-softmax-over-dim-1 | The normalization runs over dim=1, which for (N, T, V) is the time, not over the last axis, the vocabulary; so the probabilities of a word sum to 1 over the positions.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.softmax = nn.LogSoftmax(dim=1)
    def forward(self, x):
        return self.softmax(self.proj(x))

# %% wrong: log-after-softmax | The logarithm is taken after the softmax instead of both in one step; a probability that has been rounded to 0 becomes minus infinity.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        probabilities = F.softmax(logits, dim=-1)
        log_probs = torch.log(probabilities)
        return log_probs

# %% wrong: nanogpt-last-position-only | Only the last position is projected, as nanoGPT does when it writes; so in training all predictions but one are missing, instead of one for every vector that comes in.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        if x.dim() == 3:
            x = x[:, [-1], :]
        logits = self.proj(x)
        return F.log_softmax(logits, dim=-1)

# %% wrong: plain-logits | The logits are returned as they are, as most models do that leave the log-softmax to the loss; here the generator takes it itself.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        *before, d_model = x.shape
        flat = torch.addmm(x.new_zeros(1), x.reshape(-1, d_model), self.proj.weight.t())
        return flat.view(*before, -1)

# %% wrong: exp-sum-log-by-hand | The logarithm of the sum is taken as log(sum(exp)) without subtracting the largest logit first; a large logit overflows to infinity and all log-probabilities of its row become minus infinity.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        total = logits.exp().sum(dim=-1, keepdim=True)
        return logits - total.log()

# %% right: minus-logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        scores = self.proj(x)
        return scores - torch.logsumexp(scores, dim=-1, keepdim=True)
