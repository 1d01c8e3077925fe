# %% wrong: padding_among_the_others | TRUE CAUSE: the sum over the others still contains the padding token, which has no share
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
        others = log_probs.sum(dim=-1) - right  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss


# %% wrong: constant_left_out | TRUE CAUSE: leaves the constant (self.certainty) out, as if a constant did not belong to the loss: this is the cross-entropy, not the divergence
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
        others = log_probs.sum(dim=-1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = -self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss


# %% wrong: right_among_others_mean_of_all | TRUE CAUSE: two mistakes: the right token is not taken out of the sum over the others, and the loss is the mean over all positions, padding included
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
        others = log_probs.sum(dim=1) - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.mean()
        return loss
