# %% wrong: batchmean_before_masking | TRUE CAUSE: kl_div with reduction="batchmean" averages over all positions at once, padding included, so the mask that follows only multiplies and divides one number and padding is never left out
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

        divergence = F.kl_div(log_probs, expected, reduction="batchmean")  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding; blank: average
        return loss

# %% wrong: new_zero_for_padding_alone | TRUE CAUSE: for a batch of padding alone it returns a fresh zero that is not connected to log_probs, so there is no gradient of 0: backward fails
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
            return torch.tensor(0.0, device=log_probs.device)

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)
        return divergence[real].mean()

# %% wrong: cross_entropy_not_divergence | TRUE CAUSE: computes -sum(q ln p), the cross-entropy, and leaves out the term q ln q, so the loss is not 0 where the model predicts exactly the target
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

        divergence = -(expected * log_probs).sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / max(real.sum().item(), 1)  # 0, not nan, where all is padding; blank: average
        return loss
