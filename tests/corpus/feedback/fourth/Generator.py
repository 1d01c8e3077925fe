# %% wrong: probabilities | TRUE CAUSE: returns probabilities: the softmax without the logarithm
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.softmax(dim=-1)
        return log_probs

# %% wrong: log_after_softmax | TRUE CAUSE: takes the logarithm after the softmax in two steps, so a probability that was rounded to 0 becomes minus infinity
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.log(torch.softmax(logits, dim=-1))
        return log_probs

# %% wrong: over_the_positions | TRUE CAUSE: the softmax runs over axis 1, the positions, where it should run over the words
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs

# %% wrong: third_axis | TRUE CAUSE: the axis is given as 2, so vectors of the last position alone, (N, D), are refused
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=2)
        return log_probs

# %% wrong: no_bias | TRUE CAUSE: the projection is made without its bias
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=-1)
        return log_probs

# %% wrong: sizes_exchanged | TRUE CAUSE: the sizes of the projection are exchanged: it goes from the vocabulary to d_model
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(vocab_size, d_model)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=-1)
        return log_probs

# %% wrong: exp_by_hand | TRUE CAUSE: writes log-softmax by hand with exp and sum, which overflows for large logits (and gives nan or minus infinity)
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)
        return logits - logits.exp().sum(dim=-1, keepdim=True).log()

# %% wrong: last_position_logits | TRUE CAUSE: two mistakes: only the last position is projected, and the logits are returned as they are
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        return self.proj(x[:, -1])
