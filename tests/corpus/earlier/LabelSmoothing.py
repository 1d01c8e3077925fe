# %% wrong: average_counts_ids_above_zero | the number to divide by counts the targets that are greater than 0, as if pad_id were always 0, so with another pad_id padding is counted as real and token 0 is not
class LabelSmoothing(nn.Module):
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
