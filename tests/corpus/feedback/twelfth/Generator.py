# %% wrong: tiny_number_before_log | TRUE CAUSE: forward takes the logarithm after the softmax and adds 1e-9 to avoid -inf, so very unlikely words all end at log(1e-9) = -20.7 (with gradient 0) instead of their true log-probability
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.log(logits.softmax(dim=-1) + 1e-9)
        return log_probs
# %% wrong: softmax_over_axis_1 | TRUE CAUSE: log_softmax is taken over axis 1, which is the vocabulary for (N, D) only; for (N, T, D) it normalises over the positions instead of the words
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=True)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs
# %% wrong: own_max_subtracted_once | TRUE CAUSE: in the hand-written log-softmax the maximum is subtracted from the logits but the logsumexp is taken of the unshifted logits, so every log-probability is too small by the row's maximum and the probabilities do not sum to 1
def stable_log_softmax(scores):
    top = scores.max(dim=-1, keepdim=True).values
    shifted = scores - top
    return shifted - torch.logsumexp(scores, dim=-1, keepdim=True)


class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        return stable_log_softmax(self.proj(x))
# %% wrong: own_einsum_drops_bias | TRUE CAUSE: forward multiplies by proj.weight with einsum and never adds proj.bias, so the bias has no effect on the log-probabilities and gets no gradient
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        scores = torch.einsum("...d,vd->...v", x, self.proj.weight)
        return nn.LogSoftmax(dim=-1)(scores)
