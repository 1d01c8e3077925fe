# %% wrong: padding_among_the_others | TRUE CAUSE: others leaves out the right token only; the padding token, which gets no share, is still in the sum
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

# %% wrong: right_among_the_others | TRUE CAUSE: others leaves out padding only; the right token is counted again with a share
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
        others = log_probs.sum(dim=1) - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: constant_forgotten | TRUE CAUSE: the constant is not added: it is the cross-entropy, not the KL divergence of lesson 09
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
        divergence = -self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: table_of_targets | TRUE CAUSE: log_probs[:, target] takes every position's target at every position, (M, M), in place of its own, and the rest broadcasts
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

        right = log_probs[:, target]  # (M,)
        others = log_probs.sum(dim=1, keepdim=True) - right - log_probs[:, [self.pad_id]]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: per_position_not_per_real_token | TRUE CAUSE: the sum is divided by all positions, padding included
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        right = log_probs[torch.arange(target.numel()), target]
        others = log_probs.sum(-1) - right - log_probs[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        return torch.where(real, divergence, 0.0).mean()

# %% wrong: padding_is_token_0 | TRUE CAUSE: leaves column 0 out of the others in place of column pad_id: right for pad_id 0 only
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id

        right = log_probs.gather(1, target[:, None])[:, 0]
        others = log_probs[:, 1:].sum(dim=1) - right
        divergence = self.certainty - (self.confidence * right + self.share * others)
        of_real = divergence.masked_fill(~real, 0.0)
        return of_real.sum() / real.sum().clamp(min=1)

# %% wrong: share_of_all_but_one_and_nan | TRUE CAUSE: two mistakes: the rest is shared among vocab_size - 1 tokens, as if padding got a share; and the mean is taken of the real rows alone, which is nan in a batch of padding
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 1)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        log_probs, target = log_probs[real], target[real]
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        return divergence.mean()
