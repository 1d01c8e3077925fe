# %% wrong: right-among-the-others | The sum over the others is that over all tokens but padding, the right one included, so ln p of the right token is counted with confidence + share; it must be taken out of the sum.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
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

# %% wrong: smooth-mean-no-constant | Two mistakes. The doubt is spread over all tokens of the vocabulary, padding and the right one too (the mean of a row), where the others but padding share it; and the constant, the sum of q ln q, is left out, so the result is a cross-entropy and not the divergence.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        logprobs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        non_pad_mask = target != self.padding_idx
        nll_loss = -logprobs.gather(dim=-1, index=target.unsqueeze(1)).squeeze(1)
        smooth_loss = -logprobs.mean(dim=-1)
        loss = self.confidence * nll_loss + self.smoothing * smooth_loss
        loss = loss.masked_fill(~non_pad_mask, 0.0)
        return loss.sum() / non_pad_mask.sum().clamp(min=1)

# %% wrong: columns-for-all-rows | Indexes log_probs[:, target], which takes for every row the columns of all positions' right tokens, a table of M x M, where each row needs the column of its own right token (gather, or a row index beside the column's); the sums that follow broadcast and hide it.
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
        right = log_probs[:, target]
        others = log_probs.sum(dim=-1) - right - log_probs[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss

# %% wrong: log-of-the-sum | Takes the logarithm of the others' summed probability (logsumexp over them) where the formula has the sum of the others' logarithms; the two are not the same.
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
        real = target != self.pad_id
        column = torch.arange(rows.size(1), device=rows.device)
        excluded = (column == target[:, None]) | (column == self.pad_id)
        right = rows[torch.arange(len(rows), device=rows.device), target]
        others = rows.masked_fill(excluded, -math.inf).logsumexp(dim=1)
        divergence = self.certainty - self.confidence * right - self.share * others
        return torch.where(real, divergence, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: mean-with-padding | Sets the padding's divergences to 0 and takes the mean over all positions, so padding is hidden but still counted; the average is per real token.
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
        ignore = target == self.pad_id
        right = -F.nll_loss(log_probs, target, reduction="none")
        others = log_probs.sum(dim=-1) - log_probs[:, self.pad_id] - right
        divergence = self.certainty - self.confidence * right - self.share * others
        return divergence.masked_fill(ignore, 0.0).mean()

# %% right: nll-and-a-column
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing, self.share = smoothing, smoothing / (vocab_size - 2)
        self.certainty = 0.0
        for weight, probability in ((1.0 - smoothing, 1.0 - smoothing), (smoothing, self.share)):
            if weight > 0:
                self.certainty += weight * math.log(probability)
    def forward(self, log_probs, target):
        rows, wanted = log_probs.flatten(end_dim=-2), target.flatten()
        right = -F.nll_loss(rows, wanted, reduction="none")
        padding = rows.select(1, self.pad_id)
        everything = rows.sum(dim=1)
        weighted = (1.0 - self.smoothing) * right + self.share * (everything - padding - right)
        terms = (self.certainty - weighted).masked_fill(wanted == self.pad_id, 0.0)
        return terms.sum() / wanted.ne(self.pad_id).sum().clamp(min=1)

# %% right: two-indices
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1)
        real = target != self.pad_id
        place = torch.arange(target.numel(), device=target.device)
        right = rows[place, target]
        others = rows[:, : self.pad_id].sum(1) + rows[:, self.pad_id + 1 :].sum(1) - right
        cross_entropy = -(self.confidence * right + self.share * others)
        of_real = torch.where(real, cross_entropy + self.certainty, 0.0)
        return of_real.sum() / real.sum().clamp(min=1)
