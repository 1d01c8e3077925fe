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


# %% right: tenth_own_slices_around_padding
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
        self.share = smoothing / (vocab_size - 2)
        self.constant = 0.0
        if smoothing > 0:
            self.constant += smoothing * math.log(self.share)
        if smoothing < 1:
            self.constant += (1 - smoothing) * math.log(1 - smoothing)

    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, self.vocab_size)
        y = target.reshape(-1)
        is_real = y != self.pad_id
        hit = logp.gather(1, y[:, None])[:, 0]
        loss = self.constant - (1 - self.smoothing) * hit
        if self.smoothing > 0:
            before, after = logp[:, : self.pad_id], logp[:, self.pad_id + 1 :]
            loss = loss - self.share * (before.sum(1) + after.sum(1) - hit)
        loss = loss.masked_fill(~is_real, 0.0)
        return loss.sum() / max(int(is_real.sum()), 1)

# %% right: tenth_own_nll_of_the_real_rows
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.eps = smoothing
        self.others = vocab_size - 2

    def forward(self, log_probs, target):
        labels = target.flatten()
        logp = log_probs.flatten(0, -2)
        rows = labels != self.pad_id
        number = int(rows.sum())
        right = -F.nll_loss(logp, labels, ignore_index=self.pad_id, reduction="sum")
        total = -(1 - self.eps) * right
        if self.eps < 1:
            total = total + number * (1 - self.eps) * math.log(1 - self.eps)
        if self.eps > 0:
            s = self.eps / self.others
            words = logp.sum(dim=1) - logp[:, self.pad_id]
            total = total + number * self.eps * math.log(s) - s * (words[rows].sum() - right)
        return total / max(number, 1)


# %% right: eleventh_own_only_real_rows
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
        log_probs, target = log_probs.flatten(end_dim=-2), target.flatten()
        real = target != self.pad_id
        lp, t = log_probs[real], target[real]
        right = lp.gather(-1, t[:, None])[:, 0]
        others = lp.sum(-1) - right - lp[:, self.pad_id]
        loss = self.entropy() - (1 - self.smoothing) * right - self.share * others
        return loss.sum() / max(len(t), 1)

# %% right: eleventh_own_nll_loss
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.main = 1.0 - smoothing
        self.rest = smoothing / (vocab_size - 2)
        q = torch.tensor([self.main] + [self.rest] * (vocab_size - 2), dtype=torch.float64)
        self.constant = float(torch.xlogy(q, q).sum())

    def forward(self, log_probs, target):
        V = log_probs.size(-1)
        log_probs = log_probs.reshape(-1, V)
        target = target.reshape(-1)
        nll = F.nll_loss(log_probs, target, reduction="none")
        before = log_probs[:, : self.pad_id].sum(1)
        after = log_probs[:, self.pad_id + 1 :].sum(1)
        others = before + after + nll
        each = self.constant + self.main * nll - self.rest * others
        keep = target.ne(self.pad_id)
        return torch.where(keep, each, torch.zeros_like(each)).sum() / max(int(keep.sum()), 1)


# %% right: twelfth_own_nll_and_slices
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
        self.s = smoothing / (vocab_size - 2)

        def part(weight, q):
            return weight * math.log(q) if weight > 0 else 0.0

        self.constant = part(1 - smoothing, 1 - smoothing) + part(smoothing, self.s)

    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, log_probs.shape[-1])
        labels = target.reshape(-1)
        real = labels.ne(self.pad_id)
        minus_right = F.nll_loss(logp, labels, reduction="none")
        before, after = logp[:, : self.pad_id], logp[:, self.pad_id + 1 :]
        minus_others = -(before.sum(1) + after.sum(1)) - minus_right
        each = self.constant + (1 - self.smoothing) * minus_right + self.s * minus_others
        return each.masked_fill(~real, 0.0).sum() / max(int(real.sum()), 1)

# %% right: twelfth_own_only_real_rows
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.eps = smoothing
        self.share = smoothing / (vocab_size - 2)

    def forward(self, log_probs, target):
        real = target != self.pad_id
        rows, labels = log_probs[real], target[real]  # (K, V), (K,)
        count = labels.numel()
        if count == 0:
            return log_probs.sum() * 0.0
        right = rows.gather(1, labels.unsqueeze(1)).sum()
        others = rows.sum() - right - rows[:, self.pad_id].sum()
        constant = 0.0
        if self.eps < 1:
            constant += (1 - self.eps) * math.log(1 - self.eps)
        if self.eps > 0:
            constant += self.eps * math.log(self.share)
        return constant - ((1 - self.eps) * right + self.share * others) / count
