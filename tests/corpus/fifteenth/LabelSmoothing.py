# %% wrong: annotated-sum | as in the Annotated Transformer the result is the sum of the divergences (KLDivLoss with reduction="sum"); it is never divided by the number of real tokens.
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
        true_dist = x.detach().clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        true_dist = true_dist.masked_fill((target == self.padding_idx).unsqueeze(1), 0.0)
        return self.criterion(x, true_dist)

# %% wrong: torchs-label-smoothing | torch's cross_entropy with label_smoothing is taken: it shares the smoothing among all tokens, the right one and padding included, and is a cross-entropy instead of the KL divergence, so it is never 0 (and nan where all is padding).
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.ce = nn.CrossEntropyLoss(ignore_index=pad_id, label_smoothing=smoothing)
    def forward(self, log_probs, target):
        return self.ce(log_probs.reshape(-1, self.vocab_size), target.reshape(-1))

# %% wrong: zero-times-log-zero | the divergence is written out as q * (ln q - ln p): where q is 0 (at padding, or without smoothing) that is 0 times minus infinity, nan, and so is the whole loss.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        p = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        q = torch.full_like(p, self.smoothing / (self.vocab_size - 2))
        q[torch.arange(len(target), device=q.device), target] = 1 - self.smoothing
        q[:, self.pad_id] = 0.0
        per_token = (q * (q.log() - p)).sum(dim=1)
        real = target != self.pad_id
        per_token = per_token.masked_fill(~real, 0.0)
        return per_token.sum() / real.sum().clamp(min=1)

# %% wrong: new-zero-for-padding | where all is padding a new torch.tensor(0.0) is returned, which does not depend on log_probs: backward raises an error there.
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
        if not real.any():
            return torch.tensor(0.0)
        log_probs, target = log_probs[real], target[real]
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected[:, self.pad_id] = 0.0
        expected.scatter_(1, target[:, None], 1.0 - self.smoothing)
        return F.kl_div(log_probs, expected, reduction="none").sum(dim=1).mean()

# %% wrong: padding-in-column-zero | the share of padding is taken away in column 0, whatever pad_id is: with another pad_id padding gets a share and token 0 gets none, not even its 1 - smoothing where it is the right one.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.n_class = vocab_size
        self.pad_id = pad_id
        self.eps = smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.n_class)
        gold = target.reshape(-1)
        one_hot = F.one_hot(gold, self.n_class).to(log_probs.dtype)
        one_hot = one_hot * (1 - self.eps) + (1 - one_hot) * self.eps / (self.n_class - 2)
        one_hot = torch.cat([torch.zeros_like(one_hot[:, :1]), one_hot[:, 1:]], dim=1)
        loss = F.kl_div(log_probs, one_hot, reduction="none").sum(dim=1)
        non_pad_mask = gold.ne(self.pad_id)
        return (loss * non_pad_mask).sum() / non_pad_mask.sum().clamp(min=1)

# %% wrong: shares-too-small-and-padding-counted | two mistakes: the rest is divided by V - 1 although padding gets nothing (it is V - 2 that share), so a row sums to less than 1; and the sum is divided by the number of all positions, padding included.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        row = torch.full((vocab_size,), smoothing / (vocab_size - 1))
        row[pad_id] = 0.0
        self.register_buffer("row", row, persistent=False)
        self.pad_id, self.confidence = pad_id, 1 - smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.row.numel())
        target = target.reshape(-1)
        model_prob = self.row.to(log_probs.dtype).repeat(target.size(0), 1)
        model_prob.scatter_(1, target.unsqueeze(1), self.confidence)
        model_prob.masked_fill_((target == self.pad_id).unsqueeze(1), 0)
        return F.kl_div(log_probs, model_prob, reduction="batchmean")

# %% wrong: probabilities-as-input | F.kl_div gets the probabilities (log_probs.exp()) as its input, but it expects log-probabilities.
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
        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs.exp(), expected, reduction="none").sum(dim=1)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% right: closed-form
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        terms = [(1, self.confidence), (vocab_size - 2, self.share)]
        self.negative_entropy = sum(n * q * math.log(q) for n, q in terms if q > 0)
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)
        others = torch.arange(self.vocab_size, device=target.device) != target.unsqueeze(1)
        others[:, self.pad_id] = False
        rest = log_probs.masked_fill(~others, 0.0).sum(dim=1)
        per_token = self.negative_entropy - self.confidence * right - self.share * rest
        real = target.ne(self.pad_id)
        return per_token.masked_fill(~real, 0.0).sum() / max(int(real.sum()), 1)

# %% right: annotated-normalized
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super(LabelSmoothing, self).__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = vocab_size
    def forward(self, log_probs, target):
        x = log_probs.contiguous().view(-1, log_probs.size(-1))
        target = target.contiguous().view(-1)
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)
        if mask.dim() > 0:
            true_dist.index_fill_(0, mask.squeeze(1), 0.0)
        ntokens = (target != self.padding_idx).sum()
        return self.criterion(x, true_dist.detach()) / ntokens.clamp(min=1)
