# %% wrong: fairseq-shares | In the manner of fairseq's label_smoothed_nll_loss: the smoothing is shared among V - 1 tokens and the column of padding is counted as one of the others, instead of V - 2 shares without padding.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 1)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        lprobs = log_probs.flatten(end_dim=-2)
        target = target.flatten().unsqueeze(-1)
        nll = -lprobs.gather(dim=-1, index=target)
        smooth = -lprobs.sum(dim=-1, keepdim=True) - nll
        pad_mask = target.eq(self.pad_id)
        loss = self.certainty + self.confidence * nll + self.share * smooth
        loss = loss.masked_fill(pad_mask, 0.0)
        return loss.sum() / (~pad_mask).sum().clamp(min=1)

# %% wrong: input-zeroed-in-place | The column of padding is set to 0 in log_probs itself, a view of the caller's tensor: the caller's log-probabilities are changed, and backward through the log_softmax stops with an error because its output was modified in place.
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
        log_probs[:, self.pad_id] = 0.0
        others = log_probs.sum(dim=1) - right
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        return of_real.sum() / real.sum().clamp(min=1)

# %% wrong: mean-of-nothing | The real positions are picked and averaged with mean(): for a batch of padding alone that is the mean of no numbers, nan, where the loss should be 0.
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
        right = -F.nll_loss(log_probs, target, reduction="none")
        others = log_probs.sum(-1) - right - log_probs[:, self.pad_id]
        divergence = self.certainty - self.confidence * right - self.share * others
        return divergence[target != self.pad_id].mean()

# %% wrong: log-of-zero-smoothing | The constant is computed with math.log(self.share): without smoothing the share is 0 and math.log(0) raises a ValueError (the product with 0 does not help); torch.xlogy was there for that.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        self.certainty = self.confidence * math.log(self.confidence)
        self.certainty += smoothing * math.log(self.share)
    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)
        target = target.flatten()
        real = target != self.pad_id
        right = log_probs[torch.arange(len(target), device=target.device), target]
        others = log_probs.sum(dim=-1) - right - log_probs[:, self.pad_id]
        divergence = self.certainty - (self.confidence * right + self.share * others)
        of_real = divergence * real
        return of_real.sum() / max(real.sum(), 1)

# %% wrong: right-one-among-the-others | others leaves out the column of padding but not the right token: it gets the share of a wrong token on top of its confidence.
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

# %% right: fairseq-manner
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        lprobs = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1, 1)
        pad_mask = target.eq(self.pad_id)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True) - nll_loss
        smooth_loss = smooth_loss + lprobs[:, self.pad_id].unsqueeze(-1)
        loss = self.certainty + self.confidence * nll_loss + self.share * smooth_loss
        loss = loss.masked_fill(pad_mask, 0.0)
        n_tokens = (~pad_mask).sum().clamp(min=1)
        return loss.sum() / n_tokens

# %% right: real-ones-picked
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id, self.eps = pad_id, smoothing
        self.others = vocab_size - 2
        self.certainty = 0.0
        if 0 < smoothing < 1:
            self.certainty += (1 - smoothing) * math.log(1 - smoothing)
        if smoothing > 0:
            self.certainty += smoothing * math.log(smoothing / self.others)
    def forward(self, log_probs, target):
        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        all_but_padding = log_probs.sum(dim=-1) - log_probs.select(-1, self.pad_id)
        mean_of_others = (all_but_padding - right) / self.others
        expected = (1 - self.eps) * right + self.eps * mean_of_others
        of_real = (self.certainty - expected)[target != self.pad_id]
        return of_real.sum() / max(len(of_real), 1)
