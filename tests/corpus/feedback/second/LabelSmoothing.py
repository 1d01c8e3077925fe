# %% wrong: share_among_v_minus_one | TRUE CAUSE: The share of the others is smoothing / (V - 1): padding is not taken out of those who share, so a row sums to less than 1.
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

        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding
        return loss

# %% wrong: average_over_all_positions | TRUE CAUSE: The sum is divided by the number of all positions, padding included, instead of by that of the real tokens.
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
        expected.scatter_(1, target.unsqueeze(1), torch.full_like(log_probs, 1 - self.smoothing))
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        total = torch.where(real, divergence, torch.zeros_like(divergence)).sum()
        loss = total / max(target.numel(), 1)  # 0, not nan, where all is padding
        return loss

# %% wrong: mean_of_nothing | TRUE CAUSE: The real rows are picked out and averaged with mean(), which is nan for a batch of padding alone.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.kl = nn.KLDivLoss(reduction="none")

    def smooth(self, target):
        q = torch.full((target.numel(), self.vocab_size), self.smoothing / (self.vocab_size - 2), device=target.device)
        q[torch.arange(target.numel(), device=target.device), target] = 1 - self.smoothing
        q[:, self.pad_id] = 0
        return q

    def forward(self, log_probs, target):
        target = target.reshape(-1)
        log_probs = log_probs.reshape(-1, self.vocab_size)
        keep = target != self.pad_id
        log_probs, target = log_probs[keep], target[keep]
        return self.kl(log_probs, self.smooth(target).to(log_probs.dtype)).sum(dim=-1).mean()

# %% wrong: cross_entropy_of_nonzero | TRUE CAUSE: Two mistakes: the cross-entropy is computed, without the term q ln q, so the loss is not 0 for a model that says exactly the target; and real tokens are those that are not 0, whatever pad_id is.
class LabelSmoothing(nn.Module):
    """Cross-entropy with soft targets."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = (target != 0).to(log_probs.dtype)
        share = self.smoothing / (self.vocab_size - 2)
        q = share * torch.ones_like(log_probs)
        q.scatter_(1, target[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        per_position = -(q * log_probs).sum(dim=1)
        return (per_position * real).sum() / real.sum().clamp(min=1)
