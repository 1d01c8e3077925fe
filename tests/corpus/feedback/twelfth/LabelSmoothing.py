# %% wrong: average_counts_ids_above_zero | TRUE CAUSE: the number to divide by counts the targets that are greater than 0, as if pad_id were always 0, so with another pad_id padding is counted as real and token 0 is not
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4)."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / (target > 0).sum().clamp(min=1)
        return loss

# %% wrong: right_token_also_shares | TRUE CAUSE: the blank confidence is 1 - smoothing + share, as if the right token took part in the sharing, although share is smoothing / (V - 2) for the others only; each target row sums to more than 1
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4)."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing + share)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(-1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / max(real.sum().item(), 1)
        return loss

# %% wrong: own_fresh_zero_for_padding_only | TRUE CAUSE: for a batch of padding alone forward returns a fresh zero tensor that does not depend on log_probs, so backward raises instead of giving a gradient of 0
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, self.vocab_size)
        gold = target.reshape(-1)
        keep = gold != self.pad_id
        if not keep.any():
            return torch.tensor(0.0)
        logp, gold = logp[keep], gold[keep]
        hot = F.one_hot(gold, self.vocab_size).to(logp.dtype)
        q = (1 - self.smoothing) * hot + self.smoothing / (self.vocab_size - 2) * (1 - hot)
        q[:, self.pad_id] = 0
        return F.kl_div(logp, q, reduction="sum") / len(gold)

# %% wrong: own_mean_of_sentences | TRUE CAUSE: the loss is averaged over the real tokens of each sentence first and then over the sentences, instead of over all real tokens of the batch, so tokens of short sentences weigh more than those of long ones
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def soft_targets(self, target, like):
        rest = self.smoothing / (self.vocab_size - 2)
        q = torch.full_like(like, rest)
        q.scatter_(-1, target[..., None], 1 - self.smoothing)
        q[..., self.pad_id] = 0
        return q

    def forward(self, log_probs, target):
        real = (target != self.pad_id).to(log_probs.dtype)
        q = self.soft_targets(target, log_probs)
        kl = F.kl_div(log_probs, q, reduction="none").sum(-1)
        per_sentence = (kl * real).sum(-1) / real.sum(-1).clamp(min=1)
        return per_sentence.mean()
