# %% wrong: share_not_without_padding | TRUE CAUSE: the share of each wrong token is smoothing / (V - 1): padding is counted among those that share, although it gets nothing, so a row does not sum to 1
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

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss


# %% wrong: cross_entropy_for_divergence | TRUE CAUSE: the sum holds only -q * ln p, the cross-entropy, without q * ln q, so the loss is not 0 where the model predicts exactly the target
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

        divergence = -(expected * log_probs).sum(dim=1)
        divergence = torch.where(real, divergence, torch.zeros_like(divergence))
        return divergence.sum() / real.sum().clamp(min=1)


# %% wrong: mean_over_words_and_nan | TRUE CAUSE: two mistakes: the terms of a position are averaged over the vocabulary instead of summed, and the division by the number of real tokens is 0 / 0 (nan) where all is padding
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

        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").mean(dim=-1)
        return divergence[real].sum() / real.sum()
