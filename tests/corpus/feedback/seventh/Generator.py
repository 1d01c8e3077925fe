# %% wrong: log_of_sum_of_exp_by_hand | TRUE CAUSE: computes the log of the sum of exponentials by hand as in the table, so large logits overflow to inf (and very negative ones underflow to log 0) instead of using the one-step log_softmax
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits - logits.exp().sum(dim=-1, keepdim=True).log()
        return log_probs

# %% wrong: only_last_position | TRUE CAUSE: picks x[:, -1] inside the Generator, thinking it should predict only the one next token after the sentence, where it has to give log-probabilities at every position and leave any choice of position to the caller
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        last = x[:, -1]  # the position that predicts the next token
        logits = self.proj(last)
        return F.log_softmax(logits, dim=-1)

# %% wrong: log_softmax_over_axis_one | TRUE CAUSE: the log-softmax runs over axis 1, which is the positions of (N, T, V), not the vocabulary; it is right only for (N, V)
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        return F.log_softmax(self.proj(x), dim=1)
