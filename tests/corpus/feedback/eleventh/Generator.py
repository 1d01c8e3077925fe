# %% wrong: log_softmax_over_positions | TRUE CAUSE: the log-softmax is taken with dim=-2 (the positions, or the batch for (N, D)) instead of the last axis, so the probabilities of the words of one position do not sum to 1
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=-2)
        return log_probs
# %% wrong: projection_without_bias | TRUE CAUSE: the projection is built with bias=False although the text asks for an nn.Linear with its bias, so proj.bias is None and V parameters are missing
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=-1)
        return log_probs
# %% wrong: own_normalizer_without_the_maximum | TRUE CAUSE: the sum of exponentials is taken of the logits minus their maximum, but its logarithm is subtracted from the unshifted logits, so each row of log-probabilities is too high by its largest logit
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        scores = self.proj(x)
        highest = scores.amax(dim=-1, keepdim=True)
        total = (scores - highest).exp().sum(dim=-1, keepdim=True)
        return scores - total.log()
# %% wrong: own_detached_normalizer | TRUE CAUSE: the log-sum-exp is computed from detached logits (as a constant), so the values are right but the gradient of a log-probability lacks the softmax term: all other words get no gradient
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        z = self.proj(x)
        with torch.no_grad():
            norm = torch.logsumexp(z, dim=-1, keepdim=True)
        return z - norm
