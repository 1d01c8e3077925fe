# %% wrong: szegedy | Spreads the smoothing over all tokens, the right one among them, eps / V for each, and the right one gets 1 - eps on top. Here, as the lesson says, the right token has 1 - eps and only the others share, all but padding.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = (target != self.pad_id).to(logp.dtype)
        q = torch.zeros_like(logp).scatter(1, target[:, None], 1.0)
        q = (1.0 - self.smoothing) * q + self.smoothing / self.vocab_size
        terms = torch.xlogy(q, q) - q * logp
        return (terms.sum(-1) * real).sum() / real.sum().clamp(min=1.0)

# %% wrong: annotated-sum | Returns the sum over all tokens, as the Annotated Transformer's criterion (KLDivLoss with reduction="sum"), which is divided by the number of tokens outside. Here the loss itself is the average over the real tokens.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = vocab_size
    def forward(self, log_probs, target):
        x = log_probs.reshape(-1, self.size)
        target = target.reshape(-1)
        true_dist = torch.full_like(x, self.smoothing / (self.size - 2)).detach()
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        true_dist = true_dist.masked_fill((target == self.padding_idx).unsqueeze(1), 0.0)
        return self.criterion(x, true_dist)

# %% wrong: average-over-all-positions | Masks the padding out of the sum but then takes the mean over all M positions, padding included; the average is over the real tokens only.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def targets(self, log_probs, target):
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected = expected.scatter(1, target[:, None], 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        return expected * (target != self.pad_id)[:, None]
    def forward(self, log_probs, target):
        log_probs, target = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        return F.kl_div(log_probs, self.targets(log_probs, target), reduction="batchmean")

# %% wrong: cross-entropy-for-divergence | Computes the cross-entropy with the smoothed targets, minus the sum of q ln p, and leaves out q ln q. With smoothing it is never 0, whereas the divergence is 0 where the model predicts exactly the target.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target.ne(self.pad_id)
        share = self.smoothing / (self.vocab_size - 2)
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]
        each = -(1.0 - self.smoothing) * right - share * others
        return torch.where(real, each, torch.zeros_like(each)).sum() / real.sum().clamp(min=1)

# %% wrong: two-torchs-smoothing | Two mistakes. Uses torch's label_smoothing, which spreads the smoothing over all tokens and gives a cross-entropy instead of a divergence (never 0); and its average with ignore_index is nan for a batch of padding alone, where the loss has to be 0.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad_id, label_smoothing=smoothing)
    def forward(self, log_probs, target):
        return self.criterion(log_probs.reshape(-1, self.vocab_size), target.reshape(-1))

# %% wrong: new-zero | Handles a batch of padding alone by returning a new torch.tensor(0.0), which is no result of log_probs, so backward raises there; the loss and the gradient have to be 0 instead.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        keep = target.reshape(-1) != self.pad_id
        if not keep.any():
            return torch.tensor(0.0)
        wanted = target.reshape(-1)[keep]
        rows = log_probs.reshape(-1, self.vocab_size)[keep]
        expected = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        expected[:, self.pad_id] = 0.0
        expected[torch.arange(len(wanted), device=wanted.device), wanted] = 1.0 - self.smoothing
        return F.kl_div(rows, expected, reduction="batchmean")

# %% right: rows-of-real-tokens
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        target = target.reshape(-1)
        keep = target != self.pad_id
        rows, wanted = log_probs.reshape(-1, self.vocab_size)[keep], target[keep]
        expected = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        expected[:, self.pad_id] = 0.0
        expected = expected.scatter(1, wanted[:, None], 1.0 - self.smoothing)
        return F.kl_div(rows, expected, reduction="sum") / max(len(wanted), 1)

# %% right: two-sums
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        sure, count = 1.0 - self.smoothing, self.vocab_size - 2
        constant = 0.0
        if sure > 0:
            constant += sure * math.log(sure)
        if self.smoothing > 0:
            constant += self.smoothing * math.log(self.smoothing / count)
        right = log_probs.gather(1, target[:, None])[:, 0]
        everyone = log_probs.sum(dim=1) - log_probs[:, self.pad_id]
        each = constant - sure * right - self.smoothing / count * (everyone - right)
        return each.masked_fill(~real, 0.0).sum() / real.sum().clamp(min=1)
