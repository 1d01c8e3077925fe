# %% wrong: padding_is_always_token_0 | TRUE CAUSE: `others` leaves out column 0 instead of column self.pad_id, so with any other pad_id the padding token gets a share and token 0 gets none.
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
        others = log_probs[:, 1:].sum(dim=1) - right  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: right_token_among_the_others | TRUE CAUSE: `others` takes only the padding out of the sum and not the right token, so the right token is weighted with 1 - smoothing + share instead of 1 - smoothing.
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
        divergence = self.certainty - (self.confidence * right + self.share * others)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: own_mean_over_selected_positions | TRUE CAUSE: The mean is taken over the positions that are selected as real without a lower limit of 1 for their number, so a batch of padding alone gives nan (the mean of nothing) instead of 0.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.smoothing = pad_id, smoothing
        self.share = smoothing / (vocab_size - 2)
        self.constant = 0.0
        for amount, q in ((1 - smoothing, 1 - smoothing), (smoothing, self.share)):
            if amount > 0:
                self.constant += amount * math.log(q)

    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, log_probs.shape[-1])
        labels = target.reshape(-1)
        real = labels != self.pad_id
        rows, labels = rows[real], labels[real]

        ln_right = rows[torch.arange(len(labels), device=rows.device), labels]
        ln_rest = rows.sum(1) - ln_right - rows[:, self.pad_id]
        return (self.constant - (1 - self.smoothing) * ln_right - self.share * ln_rest).mean()

# %% wrong: own_mean_of_sentence_means | TRUE CAUSE: The loss is averaged in each sentence first and then over the sentences, instead of over all real tokens at once, so tokens of short sentences count for more.
class FusedLabelSmoothing(nn.Module):
    """KL divergence from smoothed targets, without building them."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.c = 1.0 - smoothing
        self.s = smoothing / (vocab_size - 2)
        q = torch.full((vocab_size - 1,), self.s, dtype=torch.float64)
        q[0] = self.c
        self.neg_entropy = float(torch.xlogy(q, q).sum())

    def forward(self, log_probs, target):
        if target.dim() == 1:
            log_probs, target = log_probs[None], target[None]
        mask = (target != self.pad_id).to(log_probs.dtype)  # (N, T)
        lp_right = torch.take_along_dim(log_probs, target[..., None], dim=-1)[..., 0]
        lp_others = log_probs.sum(-1) - log_probs[..., self.pad_id] - lp_right
        kl = (self.neg_entropy - self.c * lp_right - self.s * lp_others) * mask
        per_sentence = kl.sum(-1) / mask.sum(-1).clamp(min=1)
        return per_sentence.sum() / (mask.sum(-1) > 0).sum().clamp(min=1)

