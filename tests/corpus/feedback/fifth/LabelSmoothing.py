# %% wrong: confidence_less_one_share | TRUE CAUSE: the right token gets 1 minus one share instead of 1 minus the whole smoothing, so the rows do not sum to 1
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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - share)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: cross_entropy_not_divergence | TRUE CAUSE: the divergence lacks the term with ln q: it is the cross-entropy, which is not 0 when the model predicts exactly the target
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

        divergence = -(expected * log_probs).sum(dim=-1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: nan_where_all_is_padding | TRUE CAUSE: the padding is dropped first and the sum divided by the number of rows left, which is 0/0 = nan for a batch of padding alone
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
        log_probs, target = log_probs[real], target[real]

        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        return F.kl_div(log_probs, expected, reduction="sum") / len(target)


# %% wrong: padding_is_zero_and_shares_for_all_but_one | TRUE CAUSE: two mistakes: padding is taken to be token 0 instead of self.pad_id, and the share is the smoothing divided by V - 1, as if padding got a share
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
        real = target > 0

        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target[:, None], 1 - self.smoothing)
        expected[:, 0] = 0.0

        terms = F.kl_div(log_probs, expected, reduction="none")
        total = terms[real].sum()
        return total / max(real.sum().item(), 1)
