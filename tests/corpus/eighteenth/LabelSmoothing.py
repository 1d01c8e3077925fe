# %% wrong: summed | As in the Annotated Transformer, the criterion returns the SUM of the divergences over all positions and leaves the division by the number of tokens to somebody else; here the loss itself is the average over the real tokens.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super(LabelSmoothing, self).__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = vocab_size
    def forward(self, log_probs, target):
        x = log_probs.reshape(-1, self.size)
        target = target.reshape(-1)
        true_dist = torch.zeros_like(x)
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        true_dist = true_dist.masked_fill((target == self.padding_idx).unsqueeze(1), 0.0)
        return self.criterion(x, true_dist)

# %% wrong: batchmean | reduction="batchmean" divides the sum by the number of rows M, padding rows included; the rows of padding add nothing to the sum, but they are counted. The loss has to be divided by the number of real tokens.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        wanted = target.reshape(-1, 1)
        expected = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        expected = expected.scatter(1, wanted, 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        expected = expected * (wanted != self.pad_id)
        return F.kl_div(rows, expected, reduction="batchmean")

# %% wrong: cross-entropy | The loss is written as fairseq does, as nll plus a smoothed term: that is the cross-entropy with the smoothed target. The constant sum of q ln q is missing, so it is not the KL divergence, and not 0 where the model predicts exactly the target.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.padding_idx = pad_id
        self.eps = smoothing
    def label_smoothed_nll_loss(self, lprobs, target):
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True) + lprobs[:, self.padding_idx, None]
        pad_mask = target.eq(self.padding_idx)
        nll_loss = nll_loss.masked_fill(pad_mask, 0.0)
        smooth_loss = smooth_loss.masked_fill(pad_mask, 0.0)
        eps_i = self.eps / (self.vocab_size - 2)
        return (1.0 - self.eps - eps_i) * nll_loss.sum() + eps_i * smooth_loss.sum()
    def forward(self, log_probs, target):
        lprobs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1, 1)
        ntokens = target.ne(self.padding_idx).sum().clamp(min=1)
        return self.label_smoothed_nll_loss(lprobs, target) / ntokens

# %% wrong: mean-of-none | Only the rows of real tokens are kept and their divergences averaged with mean(): in a batch of padding alone there is no row left, and the mean of nothing is nan, where the loss has to be 0 (with a gradient of 0). The division needs a lower bound such as clamp(min=1).
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        real = target != self.pad_id
        rows, wanted = log_probs[real], target[real]
        doubt = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        doubt[:, self.pad_id] = 0.0
        expected = doubt.scatter(1, wanted[:, None], 1.0 - self.smoothing)
        terms = torch.xlogy(expected, expected) - expected * rows
        return terms.sum(dim=1).mean()

# %% wrong: padding-gets-a-share | The rest is shared among all V - 1 other tokens, padding among them: the share is smoothing / (V - 1), and the padding's column keeps it. Here padding is never predicted and gets 0, and the other V - 2 share smoothing.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.cls = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.confidence = 1.0 - smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.cls)
        target = target.reshape(-1)
        one_hot = F.one_hot(target, self.cls).to(log_probs.dtype)
        others = self.smoothing / (self.cls - 1)
        expected = one_hot * self.confidence + (1.0 - one_hot) * others
        kl = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)
        real = (target != self.pad_id).to(kl.dtype)
        return (kl * real).sum() / real.sum().clamp(min=1.0)

# %% wrong: torch-smoothing | Two mistakes. F.cross_entropy's label_smoothing gives an equal part of smoothing to every token, the right one and padding included (Szegedy's way), where here the right one keeps exactly 1 - smoothing and all others but padding share the rest; and it is a cross-entropy, without the sum of q ln q, so it is no KL divergence (and never 0).
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        flat = target.reshape(-1)
        total = F.cross_entropy(
            log_probs.reshape(-1, self.vocab_size),
            flat,
            ignore_index=self.pad_id,
            label_smoothing=self.smoothing,
            reduction="sum",
        )
        return total / flat.ne(self.pad_id).sum().clamp(min=1)

# %% right: two-sums
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id = vocab_size, pad_id
        self.eps, self.eps_i = smoothing, smoothing / max(vocab_size - 2, 1)
        self.entropy = sum(n * q * math.log(q) for n, q in self.parts() if q > 0)
    def parts(self):
        return ((1, 1.0 - self.eps), (self.vocab_size - 2, self.eps_i))
    def forward(self, log_probs, target):
        lprobs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        pad_mask = target == self.pad_id
        nll = -lprobs.gather(1, target[:, None]).squeeze(1)
        smooth = -lprobs.sum(dim=1) + lprobs[:, self.pad_id] - nll
        kl = self.entropy + (1.0 - self.eps) * nll + self.eps_i * smooth
        return kl.masked_fill(pad_mask, 0.0).sum() / (~pad_mask).sum().clamp(min=1)

# %% right: kept-columns
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.size = vocab_size
        self.padding_idx = pad_id
        self.smoothing = smoothing
        self.criterion = nn.KLDivLoss(reduction="sum")
    def forward(self, log_probs, target):
        x = log_probs.reshape(-1, self.size)
        target = target.reshape(-1)
        real = target.ne(self.padding_idx)
        one_hot = F.one_hot(target, self.size).to(x)
        true_dist = one_hot * (1 - self.smoothing)
        true_dist = true_dist + (1 - one_hot) * self.smoothing / (self.size - 2)
        true_dist[:, self.padding_idx] = 0
        loss = self.criterion(x, true_dist * real.unsqueeze(1))
        return loss / max(int(real.sum()), 1)
