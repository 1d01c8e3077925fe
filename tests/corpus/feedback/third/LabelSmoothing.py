# %% wrong: share_among_all_but_right | TRUE CAUSE: the rest is divided by V - 1: forgot that padding, too, gets no share, so a row of targets does not sum to 1
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

        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: average_over_all_positions | TRUE CAUSE: the sum is divided by the number of all positions, padding included, not by the number of real tokens
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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / target.numel()  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: mean_over_vocabulary | TRUE CAUSE: the terms of the divergence are averaged over the vocabulary instead of summed, so the loss is V times too small
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
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").mean(dim=-1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: keeps_the_padding | TRUE CAUSE: mask the wrong way round: masked_fill is given the real positions, so real tokens are set to 0 and only padding counts (True taken as "to be hidden")
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
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: nan_when_all_padding | TRUE CAUSE: no guard for a batch of padding alone: the division is 0 / 0 and gives nan
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
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence[real]
        total = masked.sum()
        loss = total / real.sum()  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: smoothing_as_in_torch | TRUE CAUSE: smoothing as torch does it: every token including the right one and padding gets smoothing / V, the right one keeps 1 - smoothing on top of its share (before padding is cleared)
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

        share = self.smoothing / self.vocab_size
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing + share)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)
        return (divergence * real).sum() / real.sum().clamp(min=1)


# %% wrong: cross_entropy_not_kl | TRUE CAUSE: computes the cross-entropy -sum q ln p, without the term q ln q, so the loss is not 0 where the model predicts exactly the target
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4)."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        logp = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        q = torch.full_like(logp, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        per_token = -(q * logp).sum(dim=1)
        per_token = per_token.masked_fill(~real, 0.0)
        return per_token.sum() / real.sum().clamp(min=1)


# %% wrong: pad_is_always_zero | TRUE CAUSE: padding is taken to be token 0 everywhere instead of pad_id
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)  # (M, V)
        target = target.reshape(-1)  # (M,)
        real = target > 0

        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, 0] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(1)
        return torch.where(real, divergence, 0.0).sum() / max(1, int(real.sum()))


# %% wrong: batchmean_and_log_by_hand | TRUE CAUSE: two mistakes: the divergence is written by hand as q * (ln q - ln p), which gives nan where q = 0 (at padding always), and the average divides by the number of sentences instead of real tokens
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        batch_size = target.size(0)
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id

        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        # D(q || p) = sum of q (ln q - ln p)
        divergence = (expected * (expected.log() - log_probs)).sum(dim=1)
        masked = divergence * real
        return masked.sum() / batch_size
