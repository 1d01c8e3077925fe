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


# %% right: tenth_own_real_rows_only
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        words = target.flatten()
        keep = words.ne(self.pad_id)
        words = words[keep]
        log_p = log_probs.flatten(0, -2)[keep]
        q = torch.full_like(log_p, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0
        q[torch.arange(len(words), device=q.device), words] = 1 - self.smoothing
        return F.kl_div(log_p, q, reduction="sum") / max(len(words), 1)

# %% right: tenth_own_masked_fills
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def wanted(self, y, like):
        columns = torch.arange(self.vocab_size, device=y.device)
        q = torch.full_like(like, self.smoothing / (self.vocab_size - 2))
        q = q.masked_fill(columns[None, :] == y[:, None], 1 - self.smoothing)
        return q.masked_fill(columns[None, :] == self.pad_id, 0.0)

    def forward(self, log_probs, target):
        y = target.reshape(-1)
        lp = log_probs.reshape(len(y), self.vocab_size)
        terms = F.kl_div(lp, self.wanted(y, lp), reduction="none")
        padding = (y == self.pad_id).unsqueeze(1)
        total = terms.masked_fill(padding, 0.0).sum()
        return total / (y != self.pad_id).sum().clamp(min=1)


# %% right: eleventh_own_closed_form_with_gather
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        eps, others = self.smoothing, self.vocab_size - 2
        logp = log_probs.reshape(-1, self.vocab_size)
        y = target.reshape(-1)
        keep = (y != self.pad_id).nonzero().squeeze(1)
        logp, y = logp[keep], y[keep]

        of_right = logp.gather(1, y[:, None]).squeeze(1)
        of_wrong = logp.sum(dim=1) - of_right - logp[:, self.pad_id]

        def x_log_x(x):
            return x * math.log(x) if x > 0 else 0.0

        constant = x_log_x(1 - eps) + others * x_log_x(eps / others)
        terms = constant - (1 - eps) * of_right - eps / others * of_wrong
        return terms.sum() / max(1, keep.numel())

# %% right: eleventh_own_loop_over_positions
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def table_row(self, token, like):
        row = [self.smoothing / (self.vocab_size - 2)] * self.vocab_size
        row[self.pad_id] = 0.0
        row[token] = 1.0 - self.smoothing
        return torch.tensor(row, dtype=like.dtype, device=like.device)

    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        loss, count = 0.0 * rows.sum(), 0
        for row, token in zip(rows, target.flatten().tolist()):
            if token == self.pad_id:
                continue
            loss = loss + F.kl_div(row, self.table_row(token, row), reduction="sum")
            count += 1
        return loss / count if count else loss


# %% right: twelfth_own_one_hot_real_rows
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        gold = target.flatten()
        keep = gold != self.pad_id
        gold = gold[keep]
        logp = log_probs.reshape(-1, self.vocab_size)[keep]  # real rows only
        hot = F.one_hot(gold, self.vocab_size).to(logp.dtype)
        q = hot * (1 - self.smoothing) + (1 - hot) * (self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0
        return F.kl_div(logp, q, reduction="sum") / max(len(gold), 1)

# %% right: twelfth_own_closed_form
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        others = self.vocab_size - 2
        sure, doubt = 1 - self.smoothing, self.smoothing / others
        real = target != self.pad_id
        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        everything = log_probs.sum(dim=-1)
        wrong = everything - right - log_probs[..., self.pad_id]

        def entropy_part(q):
            return q * math.log(q) if q > 0 else 0.0

        constant = entropy_part(sure) + others * entropy_part(doubt)
        each = constant - sure * right - doubt * wrong
        return torch.where(real, each, torch.zeros_like(each)).sum() / real.sum().clamp(min=1)
