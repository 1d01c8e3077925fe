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
# %% right: thirteenth_own_axes_kept
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        self.certainty = 0.0  # the sum of q * log(q)
        if self.confidence > 0:
            self.certainty += self.confidence * math.log(self.confidence)
        if smoothing > 0:
            self.certainty += smoothing * math.log(self.share)
    def forward(self, log_probs, target):
        real = target != self.pad_id  # (N, T), or (M,)
        likely = torch.take_along_dim(log_probs, target[..., None], dim=-1)[..., 0]
        before = log_probs[..., : self.pad_id].sum(dim=-1)
        after = log_probs[..., self.pad_id + 1 :].sum(dim=-1)
        cost = self.confidence * likely + self.share * (before + after - likely)
        divergences = (self.certainty - cost)[real]  # those of real tokens alone
        return divergences.sum() / max(divergences.numel(), 1)
# %% right: eleventh_own_only_real_rows
class FusedLabelSmoothing(nn.Module):
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
# %% right: field_nll_and_smooth_loss
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.eps, self.padding_idx = smoothing, pad_id
        self.eps_i = smoothing / (vocab_size - 2)
        self.constant = 0.0
        for share, count in ((1 - smoothing, 1), (self.eps_i, vocab_size - 2)):
            if share > 0:
                self.constant += count * share * math.log(share)
    def forward(self, lprobs, target):
        lprobs = lprobs.reshape(-1, lprobs.size(-1))
        target = target.reshape(-1, 1)
        pad_mask = target.eq(self.padding_idx)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True) + lprobs[:, self.padding_idx].unsqueeze(1)
        loss = (1.0 - self.eps - self.eps_i) * nll_loss + self.eps_i * smooth_loss + self.constant
        loss = loss.masked_fill(pad_mask, 0.0)
        return loss.sum() / (~pad_mask).sum().clamp(min=1)
# %% right: field_padding_column_masked_out
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.confidence = pad_id, 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        entropy = torch.special.entr(torch.tensor([self.confidence, self.share]).double())
        self.certainty = float(-entropy[0] - (vocab_size - 2) * entropy[1])
    def forward(self, log_probs, target):
        log_probs, target = log_probs.flatten(0, -2), target.flatten()
        padding = torch.arange(log_probs.size(-1), device=log_probs.device) == self.pad_id
        real_tokens = log_probs.masked_fill(padding, 0.0)
        nll = F.nll_loss(log_probs, target, reduction="none")
        smooth = -real_tokens.sum(dim=-1) - nll
        loss = self.certainty + self.confidence * nll + self.share * smooth
        keep = target != self.pad_id
        return (loss * keep).sum() / keep.sum().clamp(min=1)
