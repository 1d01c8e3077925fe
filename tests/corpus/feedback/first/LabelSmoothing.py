# %% wrong: share_minus_one | TRUE CAUSE: the share is divided among V - 1 tokens, so padding is counted among those that get something and the target sums to less than 1
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
        total = torch.where(real, divergence, 0.0).sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding
        return loss

# %% wrong: pad_is_zero | TRUE CAUSE: padding is taken to be id 0, pad_id is ignored when deciding which labels are real
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / max(1, int(real.sum()))  # 0, not nan, where all is padding
        return loss

# %% wrong: all_positions | TRUE CAUSE: the sum is divided by the number of all positions, padding included, instead of the real tokens
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

        divergence = torch.einsum("mv->m", torch.xlogy(expected, expected) - expected * log_probs)  # (M,)
        total = divergence[real].sum()
        loss = total / real.numel()  # 0, not nan, where all is padding
        return loss

# %% wrong: cross_entropy_only | TRUE CAUSE: minus the sum of q ln p is computed without the q ln q part, which is the cross-entropy, not the KL divergence
class LabelSmoothing(nn.Module):
    """Label smoothing, section 5.4."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id = vocab_size, pad_id
        self.smoothing = smoothing

    def soft_targets(self, target):
        q = torch.full((len(target), self.vocab_size), self.smoothing / (self.vocab_size - 2))
        q[torch.arange(len(target)), target] = 1 - self.smoothing
        q[:, self.pad_id] = 0
        return q

    def forward(self, log_probs, target):
        target = target.reshape(-1)
        log_probs = log_probs.reshape(-1, self.vocab_size)
        q = self.soft_targets(target).to(log_probs)
        per_token = -(q * log_probs).sum(1)
        keep = (target != self.pad_id).to(per_token.dtype)
        return (per_token * keep).sum() / keep.sum().clamp(min=1)

# %% wrong: scatter_index | TRUE CAUSE: scatter_ gets the target as (M,) without its second axis, so the number of axes does not fit and it raises
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
        expected.scatter_(1, target, 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=-1)  # (M,)
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: mean_of_sentences | TRUE CAUSE: the loss is averaged within each sentence first and then over sentences, so tokens of short sentences weigh more than those of long ones
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        if target.dim() == 1:
            log_probs, target = log_probs[None], target[None]
        real = target.ne(self.pad_id)  # (N, T)
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q = q.scatter(-1, target[..., None], 1 - self.smoothing)
        q[..., self.pad_id] = 0
        kl = F.kl_div(log_probs, q, reduction="none").sum(-1)  # (N, T)
        kl = kl.masked_fill(~real, 0)
        per_sentence = kl.sum(1) / real.sum(1).clamp(min=1)
        some = real.any(1)
        return per_sentence.sum() / some.sum().clamp(min=1)

# %% wrong: torchs_own | TRUE CAUSE: two mistakes: torch's label_smoothing is used, which gives padding and the right token a share too and returns a cross-entropy that is never 0; and a batch of padding alone gives nan instead of 0
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad_id, label_smoothing=smoothing)

    def forward(self, log_probs, target):
        return self.criterion(log_probs.reshape(-1, self.vocab_size), target.reshape(-1))

# %% wrong: nan_for_padding | TRUE CAUSE: the mean of the real positions is taken without a guard, so a batch of padding alone gives nan instead of 0
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
        log_probs, target = log_probs[real], target[real]

        share = self.smoothing / (self.vocab_size - 2)
        one_hot = F.one_hot(target, self.vocab_size).bool()
        expected = torch.where(one_hot, 1 - self.smoothing, share).to(log_probs.dtype)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        return divergence.mean()
