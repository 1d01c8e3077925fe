# %% wrong: right-among-the-others | As in fairseq, the smoothed term sums over the whole vocabulary without padding, the right token included, and is still weighted with the share beside the full confidence: the right token's logarithm counts once too often (`others` must leave out both the right token and padding).
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.padding_idx = pad_id
        self.epsilon = smoothing
        self.eps_i = smoothing / (vocab_size - 2)
        parts = torch.tensor([1.0 - smoothing, smoothing, self.eps_i], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        lprobs = log_probs.flatten(end_dim=-2)
        target = target.flatten().unsqueeze(-1)
        pad_mask = target.eq(self.padding_idx)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True) + lprobs[:, self.padding_idx].unsqueeze(-1)
        loss = self.certainty + (1.0 - self.epsilon) * nll_loss + self.eps_i * smooth_loss
        loss = loss.masked_fill(pad_mask, 0.0)
        return loss.sum() / (~pad_mask).sum().clamp(min=1)

# %% wrong: mean-of-all | As in timm, the smoothed term is smoothing times the MEAN of all V log-probabilities: every token, the right one and padding included, gets smoothing / V. Here only the others without padding share it, smoothing / (V - 2) each.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.confidence = 1.0 - smoothing
        share = torch.tensor(smoothing / (vocab_size - 2), dtype=torch.float64)
        sure = torch.tensor(self.confidence, dtype=torch.float64)
        self.certainty = (torch.xlogy(sure, sure) + torch.xlogy(smoothing, share)).item()
    def forward(self, log_probs, target):
        logprobs, target = log_probs.flatten(end_dim=-2), target.flatten()
        nll_loss = -logprobs.gather(dim=-1, index=target.unsqueeze(1)).squeeze(1)
        smooth_loss = -logprobs.mean(dim=-1)
        loss = self.certainty + self.confidence * nll_loss + self.smoothing * smooth_loss
        real = target != self.pad_id
        return torch.where(real, loss, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: all-by-all | log_probs[:, target] does not pick one number per row, but takes from every row the columns of all M targets, an (M, M) table; everything after it broadcasts, so each position is compared with every position's target and M * M numbers are summed. It needs gather, or an index pair (row, target).
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
        right = rows[:, target]
        others = rows.sum(dim=1) - rows[:, self.pad_id] - right
        divergence = self.certainty - self.confidence * right - self.share * others
        return divergence.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: log-of-zero | The constant is computed with math.log, which raises an error at 0: without smoothing (smoothing=0) the share is 0 and the loss cannot even be made, where 0 ln 0 has to count as 0 (torch.xlogy does that). With smoothing > 0 everything is right.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id = vocab_size, pad_id
        sure, share = 1.0 - smoothing, smoothing / (vocab_size - 2)
        self.certainty = sure * math.log(sure) + smoothing * math.log(share)
        self.more, self.share = sure - share, share
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        right = -F.nll_loss(log_probs, target, reduction="none")
        all_but_padding = log_probs.sum(dim=1) - log_probs[:, self.pad_id]
        divergence = self.certainty - self.more * right - self.share * all_but_padding
        real = target.ne(self.pad_id)
        return (divergence * real).sum() / real.sum().clamp(min=1)

# %% wrong: first-column-is-padding | The padding's column is left out by cutting off column 0, whatever pad_id is: with another pad_id, token 0 is left out of the others and the padding gets a share.
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
        right = log_probs.take_along_dim(target[:, None], dim=1)[:, 0]
        others = log_probs[:, 1:].sum(dim=1) - right
        divergence = self.certainty - self.confidence * right - self.share * others
        real = target != self.pad_id
        of_real = torch.where(real, divergence, torch.zeros_like(divergence))
        return of_real.sum() / real.sum().clamp(min=1)

# %% wrong: cross-entropy-with-padding | Two mistakes. The constant, the sum of q ln q, is left out, so it is the cross-entropy and not the KL divergence; and the column of the padding is counted among the others that share the smoothing.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        nll = F.nll_loss(log_probs, target, reduction="none")
        others = log_probs.sum(dim=-1) + nll
        loss = self.confidence * nll - self.share * others
        return torch.where(real, loss, 0.0).sum() / real.sum().clamp(min=1)

# %% right: nll-loss
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id = vocab_size, pad_id
        sure, share = 1.0 - smoothing, smoothing / (vocab_size - 2)
        self.certainty = sum(n * q * math.log(q) for n, q in ((1, sure), (vocab_size - 2, share)) if q)
        self.sure, self.share = sure, share
    def forward(self, log_probs, target):
        log_probs, target = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        nll = F.nll_loss(log_probs, target, reduction="none")
        others = log_probs.sum(dim=1) - log_probs[:, self.pad_id] + nll
        divergence = self.certainty + self.sure * nll - self.share * others
        real = target.ne(self.pad_id)
        return divergence.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)

# %% right: real-rows
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.padding_idx = pad_id
        self.eps_i = smoothing / (vocab_size - 2)
        self.extra = 1.0 - smoothing - self.eps_i
        weights = torch.tensor([1.0 - smoothing, self.eps_i], dtype=torch.float64)
        self.certainty = float(torch.xlogy(weights, weights) @ weights.new_tensor([1, vocab_size - 2]))
    def forward(self, log_probs, target):
        keep = target != self.padding_idx
        lprobs, target = log_probs[keep], target[keep]
        nll_loss = -lprobs.gather(1, target.unsqueeze(1)).sum()
        smooth_loss = lprobs[:, self.padding_idx].sum() - lprobs.sum()
        count = target.numel()
        total = count * self.certainty + self.extra * nll_loss + self.eps_i * smooth_loss
        return total / max(count, 1)
