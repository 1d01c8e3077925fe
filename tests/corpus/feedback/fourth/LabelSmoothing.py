# %% wrong: padding_shares_too | TRUE CAUSE: divides by vocab_size - 1: leaves out the right token only and forgets that padding gets no share either, so the target does not sum to 1
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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: share_of_all | TRUE CAUSE: divides the smoothing by the whole vocabulary, right token and padding counted
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

        share = self.smoothing / self.vocab_size
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: right_token_gets_the_doubt | TRUE CAUSE: the right token gets smoothing where it should keep 1 - smoothing
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
        expected.scatter_(1, target.unsqueeze(1), self.smoothing)  # blank: confidence
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: divergence_turned_round | TRUE CAUSE: the arguments of kl_div are exchanged: the target probabilities as input, the log-probabilities as target
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

        divergence = F.kl_div(expected, log_probs, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: real_ones_hidden | TRUE CAUSE: masked_fill is given real and not its opposite: the real tokens are set to 0 and padding counts
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
        masked = divergence.masked_fill(real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: average_over_all_places | TRUE CAUSE: divides by the number of all places, padding included, not by that of real tokens
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

# %% wrong: nan_for_padding_alone | TRUE CAUSE: nothing keeps the divisor from being 0, so a batch of padding alone gives nan
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
        loss = total / real.sum()  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: cross_entropy | TRUE CAUSE: computes the cross-entropy with the smoothed target and leaves out the term q ln q, so the loss is not 0 when the model predicts exactly the target
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

        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        per_token = -(expected * log_probs).sum(dim=-1)
        return per_token[real].sum() / max(int(real.sum()), 1)

# %% wrong: padding_zero_one_more | TRUE CAUSE: two mistakes: padding is taken to be token 0 whatever pad_id says, and 1 is added to the divisor against division by 0
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

        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != 0
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, 0] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)
        return (divergence * real).sum() / (real.sum() + 1)
