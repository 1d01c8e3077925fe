# %% wrong: probabilities | A plain softmax is returned: probabilities, where log-probabilities are asked for.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)
        log_probs = logits.softmax(dim=-1)
        return log_probs

# %% wrong: over-axis-one | The log-softmax runs over dim=1. For (N, T, V) that is the time, so probabilities sum to 1 over the positions of a sentence instead of over the words; only for (N, D) is axis 1 the vocabulary.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.log_softmax = nn.LogSoftmax(dim=1)
    def forward(self, x):
        logits = self.proj(x)
        log_probs = self.log_softmax(logits)
        return log_probs

# %% wrong: logits | In the manner of GPT models, which leave the softmax to the loss: the raw scores are returned, not log-probabilities.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        lm_logits = self.proj(x)
        return lm_logits

# %% wrong: log-after-softmax | The logarithm is taken after the softmax: a probability that has been rounded to 0 becomes minus infinity. The text says that both have to be one step.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        return torch.log(F.softmax(self.proj(x), dim=-1))

# %% wrong: largest-logit-taken-off-twice | The maximum is subtracted from the logits, but then logsumexp of the original logits, which contains the maximum, is subtracted from these shifted ones: every log-probability is too low by the largest logit, and the probabilities do not sum to 1.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        scores = self.proj(x)
        stable = scores - scores.amax(dim=-1, keepdim=True)
        return stable - scores.logsumexp(dim=-1, keepdim=True)

# %% wrong: scaled-as-in-t5 | In the manner of T5, which scales the decoder's output by d_model ** -0.5 before a tied head: the contract is a linear layer and a log-softmax; the extra factor flattens all probabilities.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.model_dim = d_model
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        sequence_output = x * (self.model_dim**-0.5)
        return F.log_softmax(self.proj(sequence_output), dim=-1)

# %% right: minus-logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        scores = F.linear(x, self.proj.weight, self.proj.bias)
        return scores - torch.logsumexp(scores, dim=-1, keepdim=True)

# %% right: module-for-the-softmax
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
        self.normalize = nn.LogSoftmax(dim=-1)
    def forward(self, x):
        return self.normalize(x @ self.proj.weight.T)
