# %% right: xlogy_and_one_hot
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

        scores, wanted = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        real = wanted.ne(self.pad_id)
        scores, wanted = scores[real], wanted[real]
        right = F.one_hot(wanted, self.vocab_size).to(scores.dtype)
        share = self.smoothing / (self.vocab_size - 2)
        expected = share * (1.0 - right) + (1.0 - self.smoothing) * right
        expected[:, self.pad_id] = 0.0
        terms = torch.xlogy(expected, expected) - expected * scores
        return terms.sum() / real.sum().clamp(min=1)

# %% right: where_and_max
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
        target = target.reshape(-1, 1)
        real = (target != self.pad_id).squeeze(1)
        words = torch.arange(self.vocab_size, device=target.device)
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected = expected.masked_fill(words == target, 1.0 - self.smoothing)
        expected = expected.masked_fill(words == self.pad_id, 0.0)
        terms = F.kl_div(log_probs, expected, reduction="none")
        terms = torch.where(real.unsqueeze(1), terms, torch.zeros_like(terms))
        count = max(real.sum().item(), 1)
        return terms.sum() / count


# %% right: own_only_real_rows
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        ids = target.reshape(-1)
        keep = ids != self.pad_id
        ids = ids[keep]
        logp = log_probs.reshape(-1, self.vocab_size)[keep]
        hot = F.one_hot(ids, self.vocab_size).to(logp.dtype)
        allowed = torch.ones_like(hot)
        allowed[:, self.pad_id] = 0
        q = (1 - self.smoothing) * hot
        q = q + self.smoothing / (self.vocab_size - 2) * (allowed - hot)
        terms = torch.xlogy(q, q) - q * logp
        return terms.sum() / max(len(ids), 1)

# %% right: own_entropy_and_gather
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        high, low = 1 - self.smoothing, self.smoothing / (self.vocab_size - 2)
        constant = sum(q * math.log(q) for q in [high] + [low] * (self.vocab_size - 2) if q > 0)
        tokens = [token for token in range(self.vocab_size) if token != self.pad_id]

        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        wrong = log_probs[..., tokens].sum(-1) - right
        each = constant - high * right - low * wrong

        real = target.ne(self.pad_id)
        each = torch.where(real, each, torch.zeros_like(each))
        return each.sum() / real.sum().clamp(min=1)
