# %% wrong: right-among-the-others | Takes the right token's log-probability into the sum over the others: only padding is subtracted from the row's sum. The others are all but padding and the right token.
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
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)
        others = log_probs.sum(dim=1) - log_probs[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: padding-among-the-others | Subtracts only the right token from the row's sum, so padding's log-probability is one of the others, although padding gets no share.
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
        others = log_probs.sum(-1) - right
        divergence = self.certainty - (self.confidence * right + self.share * others)
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: fairseq-without-the-constant | Computes what fairseq's label_smoothed_nll_loss does, the cross-entropy alone, and leaves out the constant, the sum of q ln q. It is the same loss as in lesson 09 only together with it.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        lprobs = log_probs.flatten(end_dim=-2)
        target = target.flatten().unsqueeze(-1)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True) - nll_loss + lprobs[:, self.pad_id, None]
        pad_mask = target.eq(self.pad_id)
        nll_loss = nll_loss.masked_fill(pad_mask, 0.0)
        smooth_loss = smooth_loss.masked_fill(pad_mask, 0.0)
        loss = self.confidence * nll_loss.sum() + self.share * smooth_loss.sum()
        return loss / pad_mask.logical_not().sum().clamp(min=1)

# %% wrong: mean-of-the-others | Takes the mean of the others' log-probabilities and multiplies it by share, the part of a single token. With a mean it would have to be the whole smoothing; so the others' term is too small by V - 2.
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
        real = target.ne(self.pad_id)
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)
        count = log_probs.size(1) - 2
        others = (log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]) / count
        divergence = self.certainty - self.confidence * right - self.share * others
        return divergence.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: padding-is-column-0 | Takes padding for the first column of the vocabulary and sums the others from column 1 on; pad_id may be any token.
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
        right = torch.einsum("mv->m", log_probs.gather(1, target.unsqueeze(1)))
        words = log_probs[:, 1:]
        others = words.sum(dim=1) - right
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: two-constant-once-and-all-positions | Two mistakes. Adds the constant to every position, padding included, since only the two sums are masked; and divides by all M positions instead of the real ones.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        rows = log_probs.flatten(end_dim=-2)
        flat = target.flatten()
        real = (flat != self.pad_id).to(rows.dtype)
        right = rows.gather(1, flat[:, None]).squeeze(1) * real
        others = (rows.sum(dim=1) - rows[:, self.pad_id]) * real - right
        return (self.certainty - self.confidence * right - self.share * others).mean()

# %% right: nll-and-masked-sum
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        rows, wanted = log_probs.flatten(end_dim=-2), target.flatten()
        keep = wanted != self.pad_id
        right = -F.nll_loss(rows, wanted, reduction="none")
        everyone = rows.sum(dim=-1) - rows[:, self.pad_id]
        each = self.certainty - (self.confidence - self.share) * right - self.share * everyone
        return each.masked_fill(~keep, 0.0).sum() / keep.sum().clamp(min=1)

# %% right: real-rows-only
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        target = target.reshape(-1)
        keep = target != self.pad_id
        rows, target = log_probs.reshape(-1, log_probs.size(-1))[keep], target[keep]
        right = rows[torch.arange(len(target), device=target.device), target]
        others = rows.sum(dim=1) - right - rows[:, self.pad_id]
        each = self.certainty - self.confidence * right - self.share * others
        return each.sum() / max(len(target), 1)
