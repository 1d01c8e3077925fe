# %% wrong: softmax_over_positions | The log-softmax runs over dim=1, which in (N, T, V) is the positions and not the vocabulary. Only for (N, D) is axis 1 the last one.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=1)
        return log_probs
# %% wrong: log_after_softmax | The logarithm is taken after the softmax. A probability that is too small for the dtype has been rounded to 0 by then, and its log is -inf instead of a plain number.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.softmax(dim=-1).log()
        return log_probs
# %% wrong: own_only_last_position | Only the vectors of the last position are turned into log-probabilities. The model has to predict at every position, and vectors of shape (N, D) have no position axis, so that there a feature is taken.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        newest = x[:, -1]  # the next token follows the last one
        return F.log_softmax(self.proj(newest), dim=-1)
# %% wrong: own_constant_without_gradient | The number that log-softmax subtracts is computed under no_grad, as if it were a constant. The values are right, but the gradient is that of the plain logit: it lacks the softmax.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        scores = self.proj(x)
        with torch.no_grad():  # only one number that is subtracted
            subtract = torch.logsumexp(scores, dim=-1, keepdim=True)
        return scores - subtract
