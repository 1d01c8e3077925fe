# %% wrong: take_from_the_flat_table | TRUE CAUSE: take reads the table as if it were flat, so the right token's log-probability comes from the first row for every position
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

        right = log_probs.take(target)  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: smoothing_for_each_other | TRUE CAUSE: the others are each weighted with the whole smoothing (1 - confidence) instead of with their share of it
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
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - (1 - self.confidence) * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: nan_for_padding_alone | TRUE CAUSE: the padded positions are cut out and the rest averaged with mean, so a batch of padding alone gives nan instead of 0
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id
        log_probs, target = log_probs[real], target[real]

        right = log_probs[torch.arange(len(target), device=target.device), target]
        others = log_probs.sum(-1) - right - log_probs[:, self.pad_id]
        return (self.certainty - self.confidence * right - self.share * others).mean()

# %% wrong: nll_and_first_column | TRUE CAUSE: two mistakes: nll_loss already has the minus sign, so the right token's part is added with the wrong sign, also in the others; and column 0 is taken for the padding's instead of pad_id
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

        right = F.nll_loss(log_probs, target, reduction="none")  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, 0]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

