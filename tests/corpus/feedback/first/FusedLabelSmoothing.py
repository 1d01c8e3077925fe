# %% wrong: right_among_others | TRUE CAUSE: the right token is not taken out of the sum over the others, so it counts with the share once more
class FusedLabelSmoothing(nn.Module):
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

# %% wrong: padding_among_others | TRUE CAUSE: padding is not taken out of the sum over the others, although it has no share
class FusedLabelSmoothing(nn.Module):
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

# %% wrong: plus_the_others | TRUE CAUSE: the sum over the others is added instead of subtracted
class FusedLabelSmoothing(nn.Module):
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

        right = log_probs.gather(1, target[:, None])[:, 0]  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right + self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: table_of_columns | TRUE CAUSE: log_probs[:, target] takes the columns of all targets for every row, an (M, M) table, instead of one number from each row
class FusedLabelSmoothing(nn.Module):
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
        others = log_probs.sum(-1) - log_probs.select(-1, self.pad_id) - right  # (M,)
        divergence = self.certainty - (right * self.confidence + others * self.share)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: pad_is_first | TRUE CAUSE: the first column is left out of the others, as if padding were always token 0; pad_id is ignored there
class FusedLabelSmoothing(nn.Module):
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
        others = log_probs[:, 1:].sum(dim=-1).sub(right)  # (M,)
        divergence = self.certainty - torch.add(self.confidence * right, others, alpha=self.share)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: gather_index | TRUE CAUSE: gather gets the target as (M,) without a second axis, so it raises
class FusedLabelSmoothing(nn.Module):
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

        right = log_probs.gather(1, target)  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: nan_without_smoothing | TRUE CAUSE: the constant is computed as smoothing * log(share), which is 0 times minus infinity, nan, without smoothing
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad = pad_id
        self.right_weight = 1 - smoothing
        self.share = smoothing / (vocab_size - 2)
        share = torch.tensor(self.share, dtype=torch.float64)
        confidence = torch.tensor(self.right_weight, dtype=torch.float64)
        self.constant = float(confidence * confidence.log() + smoothing * share.log())

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1)
        keep = target != self.pad
        picked = torch.take_along_dim(log_probs, target[:, None], dim=1).squeeze(1)
        rest = log_probs.sum(1) - picked - log_probs[:, self.pad]
        kl = self.constant - self.right_weight * picked - self.share * rest
        return torch.where(keep, kl, torch.zeros_like(kl)).sum() / keep.sum().clamp(min=1)

# %% wrong: other_share_and_nan | TRUE CAUSE: two mistakes: the share is smoothing / (V - 1) in place of V - 2; and the mean over the real positions has no guard, so a batch of padding alone gives nan
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.smoothing = pad_id, smoothing
        self.share = smoothing / (vocab_size - 1)
        self.constant = (1 - smoothing) * math.log(1 - smoothing)
        if smoothing > 0:
            self.constant += smoothing * math.log(self.share)

    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        log_probs, target = log_probs[real], target[real]
        nll = F.nll_loss(log_probs, target, reduction="none")
        others = log_probs.sum(dim=-1) + nll - log_probs[:, self.pad_id]
        return (self.constant + (1 - self.smoothing) * nll - self.share * others).mean()
