# %% wrong: probabilities | TRUE CAUSE: softmax is returned, so the result is probabilities instead of their logarithms
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.softmax(logits, dim=-1)
        return log_probs


# %% wrong: over_axis_one | TRUE CAUSE: log_softmax runs over axis 1, which is time for (N, T, V), instead of the last axis
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs


# %% wrong: linear_backwards | TRUE CAUSE: the sizes of the linear layer are swapped, so it expects vocab_size features and crashes
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(vocab_size, d_model)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=-1)
        return log_probs


# %% wrong: no_bias | TRUE CAUSE: the projection is made without a bias, although an nn.Linear has one here
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)  # to be tied with the embedding

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(-1)
        return log_probs


# %% wrong: log_after_softmax | TRUE CAUSE: the logarithm is taken after the softmax, so probabilities that were rounded to 0 become minus infinity and their gradients nan
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.softmax(dim=-1).log()
        return log_probs


# %% wrong: just_scores | TRUE CAUSE: two at once: the logits are returned as they are, so nothing makes the probabilities sum to 1, and squeeze removes every axis of size 1
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.squeeze()  # the loss has a log-softmax of its own
        return log_probs


# %% wrong: exp_too_large | TRUE CAUSE: log-softmax is written by hand without subtracting the largest logit first, so the exponential overflows for large logits
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        scores = self.proj(x)
        normalizer = scores.exp().sum(dim=-1, keepdim=True).log()
        return scores - normalizer


# %% wrong: largest_of_all | TRUE CAUSE: the largest logit of the whole batch is subtracted before exp instead of each position's own, so a position whose logits are all far below it gets log 0
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        scores = self.proj(x)
        scores = scores - scores.max()
        return scores - torch.log(torch.exp(scores).sum(-1, keepdim=True))


# %% wrong: last_and_negated | TRUE CAUSE: two at once: only the last position is projected, and the sign is turned as in a loss
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        next_token = x[:, -1]  # only the last position predicts the next token
        return -F.log_softmax(self.proj(next_token), dim=-1)
