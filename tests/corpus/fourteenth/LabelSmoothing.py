# %% wrong: padding_takes_a_share | The doubt is divided among V - 1 tokens, all but the right one. Padding gets nothing, so only V - 2 share it; now a row of the target sums to less than 1.
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
        share = self.smoothing / (self.vocab_size - 1)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding
        return loss
# %% wrong: average_over_all_positions | The sum is divided by the number of all positions, padding included. It has to be an average over the real tokens only.
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
        loss = total / max(target.numel(), 1)  # 0, not nan, where all is padding
        return loss
# %% wrong: own_cross_entropy | What is summed is -q ln p, the cross-entropy. The Kullback-Leibler divergence also has the term q ln q, so the loss is too large by the target's entropy and not 0 where the model predicts exactly the target.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        goal = target.reshape(-1)
        is_right = F.one_hot(goal, self.vocab_size).to(rows.dtype)
        doubt = self.smoothing / (self.vocab_size - 2)
        wanted = is_right * (1 - self.smoothing) + (1 - is_right) * doubt
        wanted[:, self.pad_id] = 0
        per_token = -(wanted * rows).sum(dim=-1)
        counts = goal.ne(self.pad_id)
        return per_token.where(counts, torch.zeros_like(per_token)).sum() / max(counts.sum().item(), 1)
# %% wrong: own_new_zero_for_padding | For a batch of padding alone a new torch.tensor(0.0) is returned. It does not hang on log_probs, so backward raises an error instead of giving a gradient of 0.
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        flat_target = target.flatten()
        keep = flat_target != self.pad_id
        if not keep.any():
            return torch.tensor(0.0)
        flat = log_probs.reshape(-1, self.vocab_size)[keep]  # real positions only
        right = flat_target[keep]
        q = flat.new_full(flat.shape, self.smoothing / (self.vocab_size - 2))
        q[torch.arange(len(right), device=right.device), right] = 1 - self.smoothing
        q[:, self.pad_id] = 0.0
        return F.kl_div(flat, q, reduction="sum") / len(right)
