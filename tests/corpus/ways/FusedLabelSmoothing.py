# %% right: real_rows_only
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1)
        real = target != self.pad_id
        log_probs, target = log_probs[real], target[real]
        count = max(target.numel(), 1)
        of_right = log_probs.gather(1, target.unsqueeze(1)).sum()
        of_all = log_probs.sum()
        of_pad = log_probs[:, self.pad_id].sum()
        of_others = of_all - of_right - of_pad
        constant = self.certainty * target.numel()
        return (constant - self.confidence * of_right - self.share * of_others) / count

# %% right: sums_on_both_sides_of_padding
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

        right = log_probs.take_along_dim(target[:, None], dim=1)[:, 0]  # (M,)
        others = log_probs[:, : self.pad_id].sum(1) + log_probs[:, self.pad_id + 1 :].sum(1) - right  # (M,)
        divergence = self.certainty - (self.confidence * right + self.share * others)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss


# %% right: own_two_slices
class FusedLabelSmoothing(nn.Module):
    """Two sums over the vocabulary, left and right of the padding's column."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        self.certainty = 0.0
        if self.confidence > 0:
            self.certainty += self.confidence * math.log(self.confidence)
        if smoothing > 0:
            self.certainty += smoothing * math.log(self.share)

    def forward(self, log_probs, target):
        rows, labels = log_probs.flatten(end_dim=-2), target.flatten()
        real = labels.ne(self.pad_id)
        right = rows.take_along_dim(labels[:, None], dim=1)[:, 0]
        before, after = rows[:, : self.pad_id], rows[:, self.pad_id + 1 :]
        others = before.sum(dim=1) + after.sum(dim=1) - right
        kl = self.certainty - self.confidence * right - self.share * others
        return kl.masked_fill(~real, 0.0).sum() / max(int(real.sum()), 1)

# %% right: own_nll_loss_and_sums
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.eps, self.others = pad_id, smoothing, vocab_size - 2
        q = torch.tensor([1.0 - smoothing, smoothing / self.others], dtype=torch.float64)
        how_many = torch.tensor([1, self.others])
        self.constant = (how_many * torch.special.xlogy(q, q)).sum().item()

    def forward(self, log_probs, target):
        vocab = log_probs.size(-1)
        log_probs, target = log_probs.reshape(-1, vocab), target.reshape(-1)
        nll = F.nll_loss(log_probs, target, reduction="none")  # (M,)
        rest = log_probs[:, self.pad_id] - nll - log_probs.sum(dim=-1)  # minus the others' sum
        each = self.constant + (1 - self.eps) * nll + self.eps / self.others * rest
        keep = target != self.pad_id
        total = torch.where(keep, each, torch.zeros_like(each)).sum()
        return total / keep.sum().clamp(min=1)
