# %% wrong: right_token_keeps_a_share | TRUE CAUSE: lets the right token take part in the sharing, as in torch's label smoothing: share is smoothing / (V - 1), over all tokens but padding, and the confidence is 1 - smoothing + share in place of 1 - smoothing
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
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing + share)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        masked = divergence * real
        total = masked.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: one_added_to_the_count | TRUE CAUSE: avoids the division by 0 by adding 1 to the number of real tokens in every batch, where only a count of 0 must become 1, so each loss is too small by the factor count / (count + 1)
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
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(-1)  # (M,)
        masked = divergence.masked_fill(~real, 0.0)
        total = masked.sum()
        loss = total / (real.sum() + 1)
        return loss

# %% wrong: own_mean_of_sentences | TRUE CAUSE: averages within each sentence first and then over the sentences, so the tokens of short sentences count more than those of long ones, where the loss has to be one average over all real tokens of the batch
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def wanted(self, target):
        hot = F.one_hot(target, self.vocab_size).bool()
        q = torch.where(hot, 1 - self.smoothing, self.smoothing / (self.vocab_size - 2))
        q[..., self.pad_id] = 0
        return q

    def forward(self, log_probs, target):
        if target.dim() == 1:
            log_probs, target = log_probs[None], target[None]
        q = self.wanted(target).to(log_probs.dtype)
        kl = (torch.xlogy(q, q) - q * log_probs).sum(-1)
        keep = (target != self.pad_id).to(kl.dtype)
        per_sentence = (kl * keep).sum(1) / keep.sum(1).clamp(min=1)
        return per_sentence.mean()

# %% wrong: own_constant_zero_for_padding_alone | TRUE CAUSE: for a batch of padding alone forward returns a fresh zero that is not computed from log_probs, so the loss is 0 but backward raises an error instead of giving a gradient of 0
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.share = smoothing / (vocab_size - 2)

    @staticmethod
    def x_ln_x(x):
        return x * math.log(x) if x > 0 else 0.0

    def forward(self, log_probs, target):
        flat, ids = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        keep = ids != self.pad_id
        if not keep.any():
            return torch.tensor(0.0)
        flat, ids = flat[keep], ids[keep]
        right = flat.gather(1, ids[:, None]).squeeze(1)
        others = flat.sum(1) - right - flat[:, self.pad_id]
        entropy = self.x_ln_x(1 - self.smoothing)
        entropy += (self.vocab_size - 2) * self.x_ln_x(self.share)
        return (entropy - (1 - self.smoothing) * right - self.share * others).mean()
