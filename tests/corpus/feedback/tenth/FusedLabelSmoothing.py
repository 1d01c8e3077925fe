# %% wrong: right_among_the_others | TRUE CAUSE: `others` is the sum of all tokens but padding, without taking away the right token, so ln p_right is weighted with confidence plus share
class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without its table of M x V targets: only two sums over it matter."""

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

# %% wrong: padding_is_column_0 | TRUE CAUSE: `others` leaves out column 0 instead of column pad_id, so with any other pad_id padding gets a share and token 0 gets none
class FusedLabelSmoothing(nn.Module):
    """LabelSmoothing without its table of M x V targets: only two sums over it matter."""

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
        others = log_probs[:, 1:].sum(dim=1) - right  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: own_mean_of_the_real_rows | TRUE CAUSE: the real rows are selected first and their plain mean is returned, which is nan instead of 0 for a batch of padding alone
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.smoothing, self.vocab_size = pad_id, smoothing, vocab_size

    def forward(self, log_probs, target):
        logp, y = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        logp, y = logp[y != self.pad_id], y[y != self.pad_id]
        eps = self.smoothing
        s = eps / (self.vocab_size - 2)
        const = 0.0
        if eps > 0:
            const += eps * math.log(s)
        if eps < 1:
            const += (1 - eps) * math.log(1 - eps)
        hit = logp.gather(-1, y[:, None])[:, 0]
        rest = logp.sum(-1) - hit - logp[:, self.pad_id]
        return (const - (1 - eps) * hit - s * rest).mean()

# %% wrong: own_smoothing_over_all_tokens | TRUE CAUSE: the smoothing is spread over the mean of all V log-probabilities, padding and the right token among them, instead of over the V - 2 others
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing
        share = torch.tensor(smoothing / (vocab_size - 2), dtype=torch.float64)
        keep = torch.tensor(1 - smoothing, dtype=torch.float64)
        self.constant = (torch.xlogy(keep, keep) + torch.xlogy(smoothing, share)).item()

    def forward(self, log_probs, target):
        V = log_probs.size(-1)
        log_probs, target = log_probs.reshape(-1, V), target.reshape(-1)
        real = (target != self.pad_id).to(log_probs.dtype)
        nll = F.nll_loss(log_probs, target, reduction="none")
        smooth = -log_probs.mean(dim=-1)
        each = self.constant + (1 - self.smoothing) * nll + self.smoothing * smooth
        return (each * real).sum() / real.sum().clamp(min=1)
