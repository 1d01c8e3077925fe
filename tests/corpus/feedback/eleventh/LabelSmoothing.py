# %% wrong: cross_entropy_for_divergence | TRUE CAUSE: divergence is the cross-entropy -sum q ln p, without the term sum q ln q, so it is not the KL divergence: the loss is too high by the entropy of the target and not 0 for a perfect prediction (only with smoothing > 0).
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4).

    The right token gets 1 - smoothing, all others but padding share the rest. log_probs are
    (N, T, V) or (M, V), target is (N, T) or (M,). The result, a scalar tensor, is the KL
    divergence per real token.
    """

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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = -(expected * log_probs).sum(dim=-1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: confidence_minus_one_share | TRUE CAUSE: The right token gets 1 - share (it gives away what one wrong token receives) instead of 1 - smoothing, so each row of expected sums to more than 1 and the loss has a wrong value.
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4).

    The right token gets 1 - smoothing, all others but padding share the rest. log_probs are
    (N, T, V) or (M, V), target is (N, T) or (M,). The result, a scalar tensor, is the KL
    divergence per real token.
    """

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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - share)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / max(real.sum(), 1)
        return loss

# %% wrong: own_mean_of_sentence_means | TRUE CAUSE: The average is taken per sentence first (over its real tokens) and then over the sentences, so tokens of short sentences weigh more than those of long ones; it is not the average over the real tokens when the rows of an (N, T) target have different numbers of real tokens.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def row_loss(self, lp, y):
        keep = y != self.pad_id
        lp, y = lp[keep], y[keep]
        q = lp.new_full(lp.shape, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0
        q[torch.arange(len(y)), y] = 1 - self.smoothing
        return F.kl_div(lp, q, reduction="sum") / max(len(y), 1)

    def forward(self, log_probs, target):
        if target.dim() == 1:
            log_probs, target = log_probs[None], target[None]
        rows = [self.row_loss(lp, y) for lp, y in zip(log_probs, target)]
        return torch.stack(rows).mean()

# %% wrong: own_one_hot_plus_share | TRUE CAUSE: The smoothed target is one_hot * (1 - smoothing) plus share everywhere but at padding, so the right token gets 1 - smoothing + share (as in torch's label_smoothing) and the row sums to more than 1, since the share is smoothing / (V - 2) for the wrong tokens only.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, self.vocab_size)
        y = target.reshape(-1)
        mask = (y != self.pad_id).to(logp.dtype)

        allowed = torch.ones_like(logp)
        allowed[:, self.pad_id] = 0
        one_hot = F.one_hot(y, self.vocab_size).to(logp.dtype)
        q = ((1 - self.smoothing) * one_hot + self.smoothing / (self.vocab_size - 2)) * allowed

        kl = torch.einsum("mv->m", F.kl_div(logp, q, reduction="none"))
        return kl @ mask / mask.sum().clamp(min=1.0)
