# %% wrong: padding-gets-a-share | Divides the smoothing by V - 1, as if only the right token were excepted; padding gets none either, so V - 2 tokens share it. With V - 1 the row doesn't sum to 1 once padding is set to 0.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target != self.pad_id
        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: other-direction | Computes the divergence in the other direction, D(p || q), the model's probabilities times (ln p - ln q), where D(q || p) is asked for, in which the target's probabilities weight the terms.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        log_p = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        q = torch.full_like(log_p, self.smoothing / (self.vocab_size - 2))
        q = q.scatter(1, target.unsqueeze(1), 1.0 - self.smoothing)
        log_q = q.clamp(min=1e-9).log()
        terms = log_p.exp() * (log_p - log_q)
        terms[:, self.pad_id] = 0.0
        divergence = terms.sum(dim=1)
        return torch.where(real, divergence, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: batchmean | Trusts reduction="batchmean", which divides by the number of rows, M, padding among them; the average has to be over the real tokens alone.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1, 1)
        model_prob = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        model_prob.scatter_(1, target, self.confidence)
        model_prob[:, self.pad_id] = 0.0
        model_prob = model_prob.masked_fill(target == self.pad_id, 0.0)
        return F.kl_div(log_probs, model_prob, reduction="batchmean")

# %% wrong: sum-not-average | Returns the sum over all tokens, as the Annotated Transformer's criterion does, which divides by the number of tokens elsewhere; here the loss itself is the divergence per real token.
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
        true_dist = torch.full_like(x, self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target == self.padding_idx).squeeze(1)
        true_dist.index_fill_(0, mask, 0.0)
        return self.criterion(x, true_dist)

# %% wrong: torchs-smoothing | Uses torch's label_smoothing, which gives every token of the vocabulary an equal share (the right one and padding too) and returns a cross-entropy, which is never 0; here the others but padding share it, and the loss is the KL divergence.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        target = target.reshape(-1)
        total = F.cross_entropy(
            log_probs.reshape(-1, self.vocab_size),
            target,
            ignore_index=self.pad_id,
            reduction="sum",
            label_smoothing=self.smoothing,
        )
        return total / target.ne(self.pad_id).sum().clamp(min=1)

# %% wrong: mean-of-none | Selects the real positions and takes their mean, which is nan where a batch holds padding alone (the mean of no numbers); the loss and the gradient have to be 0 there.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        real = target.reshape(-1) != self.pad_id
        rows = log_probs.reshape(-1, self.vocab_size)[real]
        wanted = target.reshape(-1)[real]
        expected = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        expected[:, self.pad_id] = 0.0
        expected = expected.scatter(1, wanted[:, None], 1 - self.smoothing)
        return F.kl_div(rows, expected, reduction="none").sum(dim=-1).mean()

# %% right: cross-entropy-minus-entropy
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        rows, wanted = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        real = (wanted != self.pad_id).to(rows.dtype)
        others = torch.ones_like(rows)
        others[:, self.pad_id] = 0.0
        others = others.scatter(1, wanted[:, None], 0.0)
        q = others * (self.smoothing / (self.vocab_size - 2))
        q = q.scatter(1, wanted[:, None], 1.0 - self.smoothing)
        divergence = (torch.xlogy(q, q) - q * rows).sum(dim=1)
        return (real @ divergence) / real.sum().clamp(min=1)

# %% right: one-hot-table
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.criterion = nn.KLDivLoss(reduction="sum")
    def forward(self, log_probs, target):
        output = log_probs.reshape(-1, self.vocab_size)
        wanted = target.reshape(-1)
        keep = wanted.ne(self.pad_id)
        right = F.one_hot(wanted, self.vocab_size).to(output.dtype)
        allowed = torch.ones_like(output)
        allowed[:, self.pad_id] = 0.0
        share = self.smoothing / (self.vocab_size - 2)
        table = right * (1.0 - self.smoothing) + (1.0 - right) * allowed * share
        table = table * keep.unsqueeze(1)
        return self.criterion(output, table) / keep.sum().clamp(min=1)
