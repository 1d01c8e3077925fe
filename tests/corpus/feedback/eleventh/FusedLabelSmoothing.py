# %% wrong: padding_among_others | TRUE CAUSE: others is the whole row's sum less the right token only, so the log-probability of the padding token is counted among the others
class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without its table of M x V targets: only two sums over it matter.

    The same loss for log_probs (N, T, V) or (M, V) and target (N, T) or (M,), section 5.4.
    """

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        # The sum of q * log(q) over the tokens: the same for every position.
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id

        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=1) - right  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: padding_always_column_0 | TRUE CAUSE: others takes away column 0 and not column self.pad_id, so it is wrong for every pad_id other than 0
class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without its table of M x V targets: only two sums over it matter.

    The same loss for log_probs (N, T, V) or (M, V) and target (N, T) or (M,), section 5.4.
    """

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        # The sum of q * log(q) over the tokens: the same for every position.
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id

        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, 0]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: own_constant_one_other | TRUE CAUSE: the constant counts share * ln(share) once and not for each of the V - 2 other tokens, so the loss is too high by a constant
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1 - smoothing
        self.share = smoothing / (vocab_size - 2)
        self.constant = sum(q * math.log(q) for q in (self.confidence, self.share) if q > 0)

    def forward(self, log_probs, target):
        V = log_probs.size(-1)
        log_probs = log_probs.reshape(-1, V)
        target = target.reshape(-1)
        rows = torch.arange(len(target), device=target.device)
        right = log_probs[rows, target]
        others = log_probs.sum(1) - right - log_probs[:, self.pad_id]
        each = self.constant - self.confidence * right - self.share * others
        real = target != self.pad_id
        return each.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: own_mean_of_selected | TRUE CAUSE: the loss is the mean of the selected real rows, without the guard for none, so a batch of padding alone gives nan and not 0
class FusedLabelSmoothing(nn.Module):
    """Label smoothing with two sums."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.share = smoothing / (vocab_size - 2)

    def entropy(self):
        total = 0.0
        if self.smoothing < 1:
            total += (1 - self.smoothing) * math.log(1 - self.smoothing)
        if self.smoothing > 0:
            total += self.smoothing * math.log(self.share)
        return total

    def forward(self, log_probs, target):
        real = target != self.pad_id
        lp, t = log_probs[real], target[real]
        right = lp.gather(-1, t[:, None])[:, 0]
        others = lp.sum(-1) - right - lp[:, self.pad_id]
        loss = self.entropy() - (1 - self.smoothing) * right - self.share * others
        return loss.mean()
