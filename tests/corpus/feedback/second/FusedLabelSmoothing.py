# %% wrong: padding_among_others | TRUE CAUSE: The padding token's log-probability is left in the sum over the others.
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

# %% wrong: bracket_sign | TRUE CAUSE: Both sums stand in one bracket with a minus between them, so the sum over the others is added instead of subtracted.
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

        right = log_probs[torch.arange(len(target), device=target.device), target]  # (M,)
        others = log_probs.sum(dim=-1).sub(right).sub(log_probs[:, self.pad_id])  # (M,)
        divergence = self.certainty - (self.confidence * right - self.share * others)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: pad_column_zero | TRUE CAUSE: The column of padding that is taken out of the others is always column 0, whatever pad_id is.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        constant = 0.0
        if self.confidence > 0:
            constant += self.confidence * math.log(self.confidence)
        if smoothing > 0:
            constant += smoothing * math.log(self.share)
        self.constant = constant

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        right = -F.nll_loss(log_probs, target, reduction="none")
        others = log_probs[:, 1:].sum(dim=1) - right
        divergence = self.constant - self.confidence * right - self.share * others
        return divergence.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: no_constant_and_nan | TRUE CAUSE: Two mistakes: the constant (the sum of q ln q) is left out, so the loss is a cross-entropy; and the number of real tokens is not clamped, so a batch of padding alone gives nan.
class FusedLabelSmoothing(nn.Module):
    """Cross-entropy against smoothed targets, without the table."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.share = smoothing / (vocab_size - 2)

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        right = log_probs.gather(1, target[:, None])[:, 0]
        others = log_probs.sum(1) - right - log_probs[:, self.pad_id]
        loss = -(1 - self.smoothing) * right - self.share * others
        return torch.where(real, loss, 0.0).sum() / real.sum()
