# %% wrong: pad_is_among_the_others | TRUE CAUSE: forgets in the blank others that padding gets no share: only the right token is taken out of the sum, so share * log p of pad_id is added at every position
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

# %% wrong: others_as_a_mean | TRUE CAUSE: the blank others is the mean over the V - 2 other tokens instead of their sum; self.share divides by V - 2 already, so the smoothing part is divided twice
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
        rest = log_probs.sum(-1) - right - log_probs[:, self.pad_id]
        others = rest / (log_probs.size(-1) - 2)  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: own_builtin_cross_entropy | TRUE CAUSE: takes PyTorch's label_smoothing for that of lesson 09: F.cross_entropy spreads smoothing over all V tokens (the right one and padding too), has no constant, and gives nan for a batch of padding alone
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        return F.cross_entropy(
            log_probs.reshape(-1, self.vocab_size),
            target.reshape(-1),
            ignore_index=self.pad_id,
            label_smoothing=self.smoothing,
        )

# %% wrong: own_mean_of_real_rows | TRUE CAUSE: padding is cut out first and the rest averaged with mean(), which divides 0 by 0 for a batch of padding alone and returns nan instead of 0
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.eps = smoothing
        self.s = smoothing / (vocab_size - 2)
        self.constant = 0.0
        for weight, q in [(1 - smoothing, 1 - smoothing), (smoothing, self.s)]:
            if q > 0:
                self.constant += weight * math.log(q)

    def forward(self, log_probs, target):
        labels = target.reshape(-1)
        keep = labels != self.pad_id
        rows = log_probs.reshape(-1, log_probs.shape[-1])[keep]
        p_right = rows.gather(1, labels[keep][:, None])[:, 0]
        p_rest = rows.sum(1) - p_right - rows[:, self.pad_id]
        return (self.constant - (1 - self.eps) * p_right - self.s * p_rest).mean()
