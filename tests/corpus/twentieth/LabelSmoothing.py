# %% wrong: annotated-sum | Returns the sum over all tokens, since the Annotated Transformer divides by the number of tokens outside of the criterion; here the result is the average per real token.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.vocab_size = vocab_size
    def forward(self, log_probs, target):
        x = log_probs.contiguous().view(-1, self.vocab_size)
        target = target.contiguous().view(-1)
        true_dist = x.detach().clone()
        true_dist.fill_(self.smoothing / (self.vocab_size - 2))
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.pad_id] = 0
        true_dist.masked_fill_((target == self.pad_id).unsqueeze(1), 0.0)
        return self.criterion(x, true_dist)

# %% wrong: shared-by-padding-too | Shares the smoothing among vocab_size - 1 tokens, although padding gets nothing: the share has to be smoothing / (vocab_size - 2), and so each row sums to less than 1.
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
        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: fairseq-smoothed-nll | Two mistakes. It is a cross-entropy, not the KL divergence: the constant sum of q ln q is missing, so it is never 0; and all vocab_size - 1 other tokens share the smoothing, padding among them.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        lprobs = log_probs.reshape(-1, log_probs.size(-1))
        target = target.reshape(-1, 1)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True)
        pad_mask = target.eq(self.pad_id)
        nll_loss = nll_loss.masked_fill(pad_mask, 0.0).sum()
        smooth_loss = smooth_loss.masked_fill(pad_mask, 0.0).sum()
        eps_i = self.smoothing / (lprobs.size(-1) - 1)
        loss = (1.0 - self.smoothing - eps_i) * nll_loss + eps_i * smooth_loss
        return loss / (~pad_mask).sum().clamp(min=1)

# %% wrong: batchmean | Takes reduction="batchmean" for the mean over real tokens: it divides by the number of all rows, those of padding included, so the more padding a batch has, the smaller its loss.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
        self.kl = nn.KLDivLoss(reduction="batchmean")
    def forward(self, log_probs, target):
        pred = log_probs.flatten(end_dim=-2)
        gold = target.reshape(-1, 1)
        one_hot = torch.zeros_like(pred).scatter(1, gold, 1.0)
        weight = self.smoothing / (self.vocab_size - 2)
        smoothed = one_hot * (1 - self.smoothing) + (1 - one_hot) * weight
        no_padding = torch.arange(self.vocab_size, device=pred.device) != self.pad_id
        smoothed = smoothed * no_padding * gold.ne(self.pad_id)
        return self.kl(pred, smoothed)

# %% wrong: new-zero-for-padding | Returns a newly made 0 for a batch of padding alone: it hangs on no graph, so backward raises an error there; the text asks for a loss of 0 from which backward works with a gradient of 0.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        tokens = target.reshape(-1)
        real = tokens.ne(self.pad_id).nonzero().squeeze(1)
        if real.numel() == 0:
            return log_probs.new_zeros(())
        rows, tokens = rows[real], tokens[real]
        q = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0
        q[torch.arange(len(tokens), device=q.device), tokens] = 1.0 - self.smoothing
        return F.kl_div(rows, q, reduction="sum") / len(tokens)

# %% wrong: probabilities-into-kl-div | Gives F.kl_div probabilities as its input, by a softmax of log_probs; its input is log-probabilities (only its target is probabilities), so the logarithm of p is replaced by p itself.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def _target(self, shape_of, labels):
        others = self.smoothing / (self.vocab_size - 2)
        q = torch.full_like(shape_of, others)
        q = q.scatter(1, labels.unsqueeze(1), 1 - self.smoothing)
        return q.index_fill(1, torch.tensor([self.pad_id], device=q.device), 0.0)
    def forward(self, log_probs, target):
        p = F.softmax(log_probs, dim=-1).flatten(end_dim=-2)
        labels = target.flatten()
        keep = (labels != self.pad_id).to(p.dtype)
        per_token = F.kl_div(p, self._target(p, labels), reduction="none").sum(dim=1)
        return torch.dot(per_token, keep) / keep.sum().clamp(min=1.0)

# %% right: real-rows-only
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        keep = target.reshape(-1) != self.pad_id
        x = log_probs.reshape(-1, self.vocab_size)[keep]
        y = target.reshape(-1)[keep]
        hot = F.one_hot(y, self.vocab_size).to(x.dtype)
        q = hot * (1.0 - self.smoothing) + (1.0 - hot) * (self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0
        return F.kl_div(x, q, reduction="sum") / max(len(y), 1)

# %% right: xlogy-by-hand
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.confidence = 1.0 - smoothing
    def forward(self, log_probs, target):
        lprobs = log_probs.contiguous().view(-1, self.vocab_size)
        target = target.contiguous().view(-1, 1)
        token = torch.arange(self.vocab_size, device=lprobs.device).unsqueeze(0)
        q = torch.full_like(lprobs, self.smoothing / (self.vocab_size - 2))
        q = q.masked_fill(token == target, self.confidence)
        q = q.masked_fill((token == self.pad_id) | (target == self.pad_id), 0.0)
        loss = (torch.xlogy(q, q) - q * lprobs).sum()
        return loss / target.ne(self.pad_id).sum().clamp(min=1)
