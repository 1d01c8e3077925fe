# %% wrong: padding_taken_as_zero | TRUE CAUSE: The mask is target.bool(), which takes token 0 as padding whatever pad_id is, so with another pad_id padding stays in the sum and real tokens 0 fall out of it.
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4).

    The right token gets 1 - smoothing, all others but padding share the rest. log_probs are
    (N, T, V) or (M, V), target is (N, T) or (M,). The result, a scalar tensor, is the KL
    divergence per real token.
    """

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        masked = divergence * target.bool()
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: cross_entropy_instead_of_kl | TRUE CAUSE: The divergence is -sum q ln p, the cross-entropy, without the q ln q terms, so with smoothing the loss is too large by the target's entropy and is not 0 for a model that predicts exactly the target.
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4).

    The right token gets 1 - smoothing, all others but padding share the rest. log_probs are
    (N, T, V) or (M, V), target is (N, T) or (M,). The result, a scalar tensor, is the KL
    divergence per real token.
    """

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = -(expected * log_probs).sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / max(real.sum().item(), 1)
        return loss

# %% wrong: own_zero_without_graph | TRUE CAUSE: For a batch of padding alone a fresh torch.tensor(0.0) is returned that does not depend on log_probs, so backward raises an error instead of giving a gradient of 0.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        words = target.flatten()
        keep = words.ne(self.pad_id)
        if not keep.any():
            return torch.tensor(0.0)
        words = words[keep]
        log_p = log_probs.flatten(0, -2)[keep]
        q = log_p.new_full(log_p.shape, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0
        q[torch.arange(len(words)), words] = 1 - self.smoothing
        return F.kl_div(log_p, q, reduction="batchmean")

# %% wrong: own_right_token_shares_too | TRUE CAUSE: The share is added to every column but padding, the right token's too, so the right token gets 1 - smoothing + share and each row of the target sums to more than 1.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        others = torch.full((vocab_size,), smoothing / (vocab_size - 2))
        others[pad_id] = 0
        self.register_buffer("others", others, persistent=False)

    def forward(self, log_probs, target):
        lp = log_probs.reshape(-1, self.vocab_size)
        y = target.reshape(-1)
        q = (1 - self.smoothing) * F.one_hot(y, self.vocab_size) + self.others
        weight = (y != self.pad_id).to(lp.dtype)
        per_token = (torch.xlogy(q, q) - q * lp).sum(-1)
        return (weight * per_token).sum() / weight.sum().clamp(min=1)
