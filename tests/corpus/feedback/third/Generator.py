# %% wrong: probabilities | TRUE CAUSE: returns plain probabilities (softmax) instead of log-probabilities
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.softmax(dim=-1)
        return log_probs

# %% wrong: normalized_over_positions | TRUE CAUSE: log_softmax runs over axis 1, which for (N, T, V) are the positions, not the words of the vocabulary
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs

# %% wrong: log_after_softmax | TRUE CAUSE: takes the logarithm after the softmax, so a probability that is rounded to 0 becomes minus infinity
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.log(torch.softmax(logits, dim=-1))
        return log_probs

# %% wrong: sizes_swapped | TRUE CAUSE: the linear layer's sizes are swapped: it goes from vocab_size to d_model
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(vocab_size, d_model)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=-1)
        return log_probs

# %% wrong: logits_themselves | TRUE CAUSE: returns the logits as they are, without log-softmax, as models do whose loss applies it
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        return self.proj(x)  # cross_entropy does the log-softmax anyway

# %% wrong: logarithm_of_the_sum_forgotten | TRUE CAUSE: writes log-softmax by hand and forgets the logarithm: it subtracts the sum of the exponentials from the logits and not its logarithm
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)
        total = logits.exp().sum(dim=-1, keepdim=True)
        return logits - total

# %% wrong: no_bias_and_last_position_only | TRUE CAUSE: two mistakes: the projection has no bias, and only the last position is predicted (x[:, -1]) instead of every one
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, x):
        if x.dim() == 3:
            x = x[:, -1]  # the next token comes after the last one
        logits = self.proj(x)
        return logits.log_softmax(dim=-1)
