# %% wrong: padding-among-the-others | Subtracts only the right token from the sum of the row, so padding counts among the others; they are all tokens but the right one and padding.
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
        others = log_probs.sum(dim=1) - right
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: hf-label-smoother | Two mistakes. Spreads the smoothing over the whole vocabulary, the right token and padding among it (divided by V); and leaves out the constant, so it is a cross-entropy and not the KL divergence of lesson 09.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.epsilon = smoothing
    def forward(self, log_probs, target):
        log_probs = -log_probs
        labels = target.unsqueeze(-1)
        padding_mask = labels.eq(self.pad_id)
        nll_loss = log_probs.gather(dim=-1, index=labels)
        smoothed_loss = log_probs.sum(dim=-1, keepdim=True)
        nll_loss = nll_loss.masked_fill(padding_mask, 0.0)
        smoothed_loss = smoothed_loss.masked_fill(padding_mask, 0.0)
        num_active_elements = (padding_mask.numel() - padding_mask.long().sum()).clamp(min=1)
        nll_loss = nll_loss.sum() / num_active_elements
        smoothed_loss = smoothed_loss.sum() / (num_active_elements * log_probs.shape[-1])
        return (1 - self.epsilon) * nll_loss + self.epsilon * smoothed_loss

# %% wrong: constant-left-out | Leaves the constant, the sum of q ln q, out of the result because it has no gradient: then it is the cross-entropy, larger than the KL divergence of lesson 09 and never 0, but it must be the same loss.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.smoothing = pad_id, smoothing
        self.share = smoothing / (vocab_size - 2)
    def forward(self, log_probs, target):
        lprobs = log_probs.flatten(end_dim=-2)
        labels = target.flatten()
        keep = labels.ne(self.pad_id)
        nll = F.nll_loss(lprobs, labels, reduction="none")
        smooth = -lprobs.sum(dim=-1) - nll + lprobs[:, self.pad_id]
        per_token = (1.0 - self.smoothing) * nll + self.share * smooth
        return per_token.masked_fill(~keep, 0.0).sum() / keep.sum().clamp(min=1)

# %% wrong: one-hot-table | Finds right and others with F.one_hot, a table of M rows and V columns: the numbers are right, but just such a table was to be avoided, and the text names F.one_hot.
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
        target = target.flatten()
        chosen = F.one_hot(target, rows.size(1)).bool()
        right = rows.masked_fill(~chosen, 0.0).sum(dim=1)
        others = rows.masked_fill(chosen, 0.0).sum(dim=1) - rows[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        real = target != self.pad_id
        return torch.where(real, divergence, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: take-from-the-first-row | Looks up the right token with take, which counts through the flattened table: it returns the number of each target from the first row instead of from its own row; gather along dim 1 is needed.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def divergence(self, rows, target):
        right = rows.take(target)
        others = rows.sum(dim=-1) - rows.select(1, self.pad_id) - right
        return self.certainty - (self.confidence * right + self.share * others)
    def forward(self, log_probs, target):
        target = target.flatten()
        real = target.ne(self.pad_id)
        terms = self.divergence(log_probs.flatten(end_dim=-2), target)
        return terms.masked_fill(~real, 0.0).sum().div(real.sum().clamp(min=1))

# %% wrong: padding-taken-for-0 | Leaves padding out of the others by dropping column 0: pad_id may be any token, and where it is not 0, padding is counted and token 0 is not.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        right = log_probs.gather(-1, target[..., None])[..., 0]
        others = log_probs[..., 1:].sum(dim=-1) - right
        weighted = right * self.confidence + others * self.share
        real = target != self.pad_id
        missing = (self.certainty - weighted) * real
        return missing.sum() / real.sum().clamp(min=1)

# %% right: two-slices
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        log_probs, target = log_probs.flatten(end_dim=-2), target.flatten()
        real = target.ne(self.pad_id)
        nll = F.nll_loss(log_probs, target, reduction="none")
        before, after = log_probs[:, : self.pad_id], log_probs[:, self.pad_id + 1 :]
        all_but_padding = before.sum(dim=1) + after.sum(dim=1)
        divergence = self.certainty + self.confidence * nll - self.share * (all_but_padding + nll)
        return divergence.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)
