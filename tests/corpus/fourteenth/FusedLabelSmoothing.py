# %% wrong: padding_among_the_others | `others` is the sum of a row less the right token, so the log-probability of padding is still in it. Padding gets no share in the targets of section 5.4 as the course counts them.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        # The sum of q * log(q) over the tokens: the same for every position.
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=1) - right  # (M,)
        divergence = self.certainty - self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss
# %% wrong: constant_left_out | `divergence` has only the two sums over the log-probabilities: that is the cross-entropy. The constant sum of q ln q (self.certainty) is left out, so the loss is not that of lesson 09, the KL divergence.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        # The sum of q * log(q) over the tokens: the same for every position.
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        log_probs = log_probs.flatten(end_dim=-2)  # (M, V)
        target = target.flatten()  # (M,)
        real = target != self.pad_id
        right = log_probs.gather(1, target.unsqueeze(1)).squeeze(1)  # (M,)
        others = log_probs.sum(dim=1) - right - log_probs[:, self.pad_id]  # (M,)
        divergence = -self.confidence * right - self.share * others
        of_real = torch.where(real, divergence, 0.0)
        loss = of_real.sum() / real.sum().clamp(min=1)
        return loss
# %% wrong: own_mean_of_nothing | The losses of the real positions are picked and averaged with mean(). In a batch of padding alone none is left, and the mean of nothing is nan, not 0.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        rows = log_probs.flatten(end_dim=-2)
        labels = target.flatten()
        right = rows.take_along_dim(labels.unsqueeze(-1), dim=-1).squeeze(-1)
        rest = rows.sum(dim=-1) - rows[:, self.pad_id] - right
        each = self.certainty - self.confidence * right - self.share * rest
        return each[labels != self.pad_id].mean()
# %% wrong: own_divides_by_all_positions | The sum over the real positions is divided by the number of all positions, padding included (target.numel()), so a batch with much padding has too small a loss. It should be per real token.
class FusedLabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        parts = torch.tensor([self.confidence, smoothing, self.share], dtype=torch.float64)
        self.certainty = torch.xlogy(parts[:2], parts[[0, 2]]).sum().item()
    def forward(self, log_probs, target):
        rows = log_probs.flatten(end_dim=-2)
        labels = target.flatten()
        weight = (labels != self.pad_id).to(rows.dtype)  # 1 for a real position, else 0
        right = -F.nll_loss(rows, labels, reduction="none")
        rest = rows.sum(dim=1) - right - rows[:, self.pad_id]
        sum_right = (weight * right).sum()
        sum_rest = (weight * rest).sum()
        total = self.certainty * weight.sum()
        total = total - self.confidence * sum_right - self.share * sum_rest
        return total / max(labels.numel(), 1)
