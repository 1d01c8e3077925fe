# %% wrong: own_constant_after_the_mean | The constant is added once to the finished mean, as it is the same for every position; but a batch of padding alone has no position, and then the result is the constant and not 0.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        self.certainty = 0.0  # the sum of q * log(q)
        if self.confidence > 0:
            self.certainty += self.confidence * math.log(self.confidence)
        if smoothing > 0:
            self.certainty += smoothing * math.log(self.share)
    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()
        real = target != self.pad_id
        likely = -F.nll_loss(log_probs, target, reduction="none")  # (M,)
        rest = log_probs.sum(dim=1) - likely - log_probs[:, self.pad_id]
        cost = -(self.confidence * likely + self.share * rest)
        mean = torch.where(real, cost, 0.0).sum() / real.sum().clamp(min=1)
        return self.certainty + mean
# %% wrong: own_builtin_cross_entropy | takes PyTorch's label_smoothing for that of lesson 09: F.cross_entropy spreads smoothing over all V tokens (the right one and padding too), has no constant, and gives nan for a batch of padding alone
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing
    def forward(self, log_probs, target):
        return F.cross_entropy(
            log_probs.reshape(-1, self.vocab_size),
            target.reshape(-1),
            ignore_index=self.pad_id,
            label_smoothing=self.smoothing,
        )
