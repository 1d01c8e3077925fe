# %% right: skeleton with F.kl_div and masked_fill
class LabelSmoothing(nn.Module):
    """Measure how far log_probs are from targets that are never quite certain (section 5.4).

    The right token gets 1 - smoothing, all others but padding share the rest. The result is the
    KL divergence per real token: log_probs are (N, T, V) or (M, V), target is (N, T) or (M,).
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

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)  # (M,)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding
        return loss

# %% right: skeleton, mask by multiplication and python max
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(-1)
        total = (divergence * real).sum()
        loss = total / max(real.sum().item(), 1)
        return loss

# %% right: select the real rows first
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        keep = target.ne(self.pad_id)
        log_probs, target = log_probs[keep], target[keep]
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        return F.kl_div(q.new_tensor(0) + log_probs, q, reduction="sum") / max(len(target), 1)

# %% right: closed form with gather
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.confidence = 1.0 - smoothing
        self.share = smoothing / (vocab_size - 2)
        # sum of q * ln q is the same for each real token
        self.constant = 0.0
        if self.confidence > 0:
            self.constant += self.confidence * math.log(self.confidence)
        if self.share > 0:
            self.constant += smoothing * math.log(self.share)

    def forward(self, log_probs, target):
        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        others = log_probs.sum(dim=-1) - right - log_probs[..., self.pad_id]
        kl = self.constant - self.confidence * right - self.share * others
        real = target != self.pad_id
        kl = torch.where(real, kl, torch.zeros_like(kl))
        return kl.sum() / real.sum().clamp(min=1)

# %% right: plain loops for beginners
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super(LabelSmoothing, self).__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        # everything behind one another
        flat_log_probs = log_probs.reshape(-1, self.vocab_size)
        flat_target = target.reshape(-1)
        number_of_positions = flat_target.shape[0]
        # start with a zero that belongs to the graph
        total = (flat_log_probs * 0.0).sum()
        number_of_real_tokens = 0
        for position in range(number_of_positions):
            right_token = int(flat_target[position])
            if right_token == self.pad_id:
                continue
            number_of_real_tokens = number_of_real_tokens + 1
            for token in range(self.vocab_size):
                if token == self.pad_id:
                    q = 0.0
                elif token == right_token:
                    q = 1.0 - self.smoothing
                else:
                    q = self.smoothing / (self.vocab_size - 2)
                if q > 0.0:
                    total = total + q * (math.log(q) - flat_log_probs[position, token])
        if number_of_real_tokens == 0:
            return total
        return total / number_of_real_tokens

# %% right: one_hot instead of scatter
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        hot = F.one_hot(target, self.vocab_size).to(log_probs.dtype)
        q = hot * (1 - self.smoothing) + (1 - hot) * (self.smoothing / (self.vocab_size - 2))
        not_pad = torch.ones(self.vocab_size, dtype=q.dtype, device=q.device)
        not_pad[self.pad_id] = 0
        q = q * not_pad
        real = (target != self.pad_id).to(log_probs.dtype)
        q = q * real.unsqueeze(-1)
        terms = torch.xlogy(q, q) - q * log_probs
        return terms.sum() / real.sum().clamp(min=1.0)

# %% right: compare with arange and nested where
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        lp = log_probs.reshape(-1, self.vocab_size)
        t = target.reshape(-1, 1)
        ids = torch.arange(self.vocab_size, device=lp.device).unsqueeze(0)
        low = torch.tensor(self.smoothing / (self.vocab_size - 2), dtype=lp.dtype, device=lp.device)
        high = torch.tensor(1 - self.smoothing, dtype=lp.dtype, device=lp.device)
        zero = torch.zeros((), dtype=lp.dtype, device=lp.device)
        q = torch.where(ids == t, high, low)
        q = torch.where((ids == self.pad_id) | (t == self.pad_id), zero, q)
        count = torch.clamp((t != self.pad_id).sum(), min=1)
        return F.kl_div(lp, q, reduction="sum") / count

# %% right: einsum for the cross entropy, minus the entropy
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0.0  # before the scatter is as good: padded rows go below
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        w = (target != self.pad_id).to(q.dtype)
        cross_entropy = -torch.einsum("m,mv,mv->", w, q, log_probs)
        entropy = -torch.einsum("m,mv->", w, torch.special.xlogy(q, q))
        return (cross_entropy - entropy) / w.sum().clamp(min=1)

# %% right: like the Annotated Transformer, but averaged
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = vocab_size

    def forward(self, x, target):
        x = x.contiguous().view(-1, self.size)
        target = target.contiguous().view(-1)
        true_dist = x.detach().clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target == self.padding_idx)
        if mask.numel() > 0:
            true_dist.index_fill_(0, mask.squeeze(1), 0.0)
        n = (target != self.padding_idx).sum().item()
        return self.criterion(x, true_dist) / (n if n > 0 else 1)

# %% right: a template row in a buffer that is cloned
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        row = torch.full((vocab_size,), smoothing / (vocab_size - 2), dtype=torch.float64)
        row[pad_id] = 0.0
        self.register_buffer("row", row, persistent=False)

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        q = self.row.to(log_probs).expand_as(log_probs).clone()
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        padded = target == self.pad_id
        q[padded] = 0.0
        return F.kl_div(log_probs, q, reduction="sum") / (~padded).sum().clamp(min=1)

# %% right: subclass of KLDivLoss
class LabelSmoothing(nn.KLDivLoss):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__(reduction="none")
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def smooth(self, like, target):
        q = torch.full_like(like, self.smoothing / (self.vocab_size - 2), requires_grad=False)
        q.scatter_(-1, target.unsqueeze(-1), 1.0 - self.smoothing)
        q.select(-1, self.pad_id).zero_()
        return q

    def forward(self, log_probs, target):
        per_token = super().forward(log_probs, self.smooth(log_probs, target)).sum(dim=-1)
        real = target != self.pad_id
        return torch.where(real, per_token, 0.0).sum() / real.sum().clamp_(min=1)

# %% right: properties and type annotations
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size: int, pad_id: int, smoothing: float = 0.1) -> None:
        super().__init__()
        self.vocab_size: int = vocab_size
        self.pad_id: int = pad_id
        self.smoothing: float = smoothing

    @property
    def confidence(self) -> float:
        return 1.0 - self.smoothing

    @property
    def share(self) -> float:
        return self.smoothing / (self.vocab_size - 2)

    def expected(self, log_probs: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        q = log_probs.new_full(log_probs.shape, self.share)
        rows = torch.arange(target.numel(), device=target.device)
        q[rows, target] = self.confidence
        q[:, self.pad_id] = 0.0
        return q

    def forward(self, log_probs: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        flat: torch.Tensor = log_probs.flatten(0, -2)
        ids: torch.Tensor = target.flatten()
        terms = F.kl_div(flat, self.expected(flat, ids), reduction="none")
        real = ids.ne(self.pad_id)
        return terms.mul(real.unsqueeze(1)).sum().div(real.count_nonzero().clamp(min=1))

# %% right: functools cache of a pure helper
import functools


@functools.lru_cache(maxsize=None)
def _numbers(vocab_size, smoothing):
    share = smoothing / (vocab_size - 2)
    sure = 1 - smoothing
    def xlogx(x):
        return x * math.log(x) if x > 0 else 0.0
    return share, sure, xlogx(sure) + (vocab_size - 2) * xlogx(share)


class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size, self.pad_id, self.smoothing = vocab_size, pad_id, smoothing

    def forward(self, log_probs, target):
        share, sure, negative_entropy = _numbers(self.vocab_size, self.smoothing)
        lp = log_probs.reshape(-1, self.vocab_size)
        t = target.reshape(-1)
        index = (t != self.pad_id).nonzero().squeeze(1)
        lp, t = lp.index_select(0, index), t.index_select(0, index)
        right = lp.gather(1, t.view(-1, 1)).sum()
        rest = lp.sum() - right - lp[:, self.pad_id].sum()
        n = index.numel()
        return (n * negative_entropy - sure * right - share * rest) / max(n, 1)

# %% right: defensive programming
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        if not 0 <= pad_id < vocab_size:
            raise ValueError(f"pad_id {pad_id} is not in a vocabulary of {vocab_size}")
        if not 0.0 <= smoothing <= 1.0:
            raise ValueError("smoothing has to be between 0 and 1")
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = float(smoothing)

    def forward(self, log_probs, target):
        if log_probs.dim() not in (2, 3):
            raise ValueError(f"log_probs are (N, T, V) or (M, V), not {tuple(log_probs.shape)}")
        if log_probs.shape[:-1] != target.shape:
            raise ValueError("log_probs and target do not fit")
        if log_probs.size(-1) != self.vocab_size:
            raise ValueError("another vocabulary")
        real = target != self.pad_id
        if not bool(real.any()):
            return log_probs.sum() * 0.0  # keeps the graph
        chosen = log_probs[real]
        with torch.no_grad():
            q = torch.zeros_like(chosen)
            q += self.smoothing / max(self.vocab_size - 2, 1)
            q[:, self.pad_id] = 0
            q.scatter_(1, target[real].unsqueeze(1), 1.0 - self.smoothing)
        return F.kl_div(chosen, q, reduction="batchmean")

# %% right: without the column of padding
class LabelSmoothing(nn.Module):
    """Leave the padding token out of the vocabulary, and number the others anew."""

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.kept = [i for i in range(vocab_size) if i != pad_id]

    def forward(self, log_probs, target):
        real = target != self.pad_id
        lp = log_probs[real][:, self.kept]
        ids = target[real]
        ids = ids - (ids > self.pad_id).long()
        q = torch.full_like(lp, self.smoothing / (len(self.kept) - 1))
        q.scatter_(1, ids[:, None], 1 - self.smoothing)
        total = (torch.xlogy(q, q) - q * lp).sum()
        return total / max(1, ids.numel())

# %% right: nll_loss for the right token, sums for the others
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.V = vocab_size
        self.pad = pad_id
        self.eps = smoothing

    def forward(self, log_probs, target):
        lp, y = log_probs.reshape(-1, self.V), target.reshape(-1)
        nll = F.nll_loss(lp, y, ignore_index=self.pad, reduction="none")
        mask = (y == self.pad)
        everything = -lp.sum(1) + lp[:, self.pad]
        everything = everything.masked_fill(mask, 0)
        share = self.eps / (self.V - 2)
        entropy = 0.0
        for p, times in ((1 - self.eps, 1), (share, self.V - 2)):
            if p > 0:
                entropy -= times * p * math.log(p)
        n = (~mask).sum()
        total = ((1 - self.eps) * nll + share * (everything - nll)).sum() - n * entropy
        return total / n.clamp(min=1)

# %% right: a table of all targets, looked up
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def table(self, dtype, device):
        v = self.vocab_size
        eye = torch.eye(v, dtype=dtype, device=device)
        q = (1 - self.smoothing) * eye + (1 - eye) * (self.smoothing / (v - 2))
        q[:, self.pad_id] = 0
        q[self.pad_id, :] = 0
        return q

    def forward(self, log_probs, target):
        table = self.table(log_probs.dtype, log_probs.device)
        q = table[target]
        minus_entropy = torch.xlogy(table, table).sum(1)[target]
        divergence = minus_entropy - (q * log_probs).sum(-1)
        n = int((target != self.pad_id).sum())
        return divergence.sum() / (n or 1)

# %% right: weights that sum to one, and a matrix product
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        weights = target.ne(self.pad_id).type_as(log_probs)
        weights = weights / weights.sum().clamp(min=1.0)
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        return weights @ F.kl_div(log_probs, expected, reduction="none") @ log_probs.new_ones(self.vocab_size)

# %% right: sentence by sentence, recursion for 3 axes
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def _total(self, log_probs, target):
        if target.dim() > 1:
            parts = [self._total(a, b) for a, b in zip(log_probs, target)]
            return sum(p[0] for p in parts), sum(p[1] for p in parts)
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q = q.scatter(1, target.unsqueeze(1), 1 - self.smoothing)
        q = q.index_fill(1, torch.tensor([self.pad_id], device=q.device), 0.0)
        real = target != self.pad_id
        kl = F.kl_div(log_probs, q, reduction="none").sum(1)
        return (kl * real).sum(), int(real.sum())

    def forward(self, log_probs, target):
        total, tokens = self._total(log_probs, target)
        return total / max(tokens, 1)

# %% right: custom autograd function
class _SmoothedKL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, log_probs, q, count):
        ctx.save_for_backward(q)
        ctx.count = count
        return (torch.xlogy(q, q) - q * log_probs).sum() / count

    @staticmethod
    def backward(ctx, grad):
        (q,) = ctx.saved_tensors
        return -grad * q / ctx.count, None, None


class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        real = target != self.pad_id
        q = torch.full(log_probs.shape, self.smoothing / (self.vocab_size - 2),
                       dtype=log_probs.dtype, device=log_probs.device)
        q.scatter_(-1, target[..., None], 1 - self.smoothing)
        q[..., self.pad_id] = 0
        q[~real] = 0
        return _SmoothedKL.apply(log_probs, q, max(int(real.sum()), 1))

# %% right: options for reduction that nobody asked for
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1, reduction="mean"):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.reduction = reduction

    def extra_repr(self):
        return f"vocab_size={self.vocab_size}, pad_id={self.pad_id}, smoothing={self.smoothing}"

    def forward(self, log_probs, target, reduction=None):
        reduction = reduction or self.reduction
        shape = target.shape
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        kl = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        kl = kl.where(real, torch.zeros_like(kl))
        if reduction == "none":
            return kl.reshape(shape)
        if reduction == "sum":
            return kl.sum()
        return kl.sum() / real.sum().clamp(min=1)

# %% right: chunks to save memory
class LabelSmoothing(nn.Module):
    CHUNK = 3

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def _sum(self, log_probs, target):
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        q[:, self.pad_id] = 0
        q[target == self.pad_id] = 0
        return F.kl_div(log_probs, q, reduction="sum")

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        pieces = zip(log_probs.split(self.CHUNK), target.split(self.CHUNK))
        total = sum(self._sum(a, b) for a, b in pieces)
        return total / (target != self.pad_id).sum().clamp(min=1)

# %% right: accumulates in double precision
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        exact = log_probs.double()
        ids = torch.arange(exact.shape[-1], device=target.device)
        is_right = target[..., None] == ids
        is_pad = (ids == self.pad_id) | (target[..., None] == self.pad_id)
        q = is_right * (1 - self.smoothing) + ~is_right * (self.smoothing / (self.vocab_size - 2))
        q = q.double().masked_fill(is_pad, 0)
        safe = q.clamp(min=1e-300)
        loss = (q * (safe.log() - exact)).sum() / (target != self.pad_id).sum().clamp(min=1)
        return loss.to(log_probs.dtype)

# %% right: a lambda for each thing, terse
class LabelSmoothing(nn.Module):
    def __init__(s, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        s.v, s.p, s.e = vocab_size, pad_id, smoothing

    def forward(s, lp, y):
        m, oh = (y != s.p).unsqueeze(-1), F.one_hot(y, s.v).bool()
        q = (oh * (1 - s.e) + ~oh * (s.e / (s.v - 2))).to(lp) * m
        q[..., s.p] = 0
        return (q.xlogy(q) - q * lp).sum() / m.sum().clamp(min=1)

# %% right: positions of the real tokens by nonzero, mean of a stack
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def one(self, row, token):
        """The divergence of one position."""
        q = [self.smoothing / (self.vocab_size - 2)] * self.vocab_size
        q[token] = 1 - self.smoothing
        q[self.pad_id] = 0.0
        q = torch.tensor(q, dtype=row.dtype, device=row.device)
        return F.kl_div(row, q, reduction="sum")

    def forward(self, log_probs, target):
        positions = (target != self.pad_id).nonzero(as_tuple=False).tolist()
        found = [self.one(log_probs[tuple(p)], int(target[tuple(p)])) for p in positions]
        if not found:
            return 0.0 * log_probs.sum()
        return torch.stack(found).mean()

# %% wrong: shares among V minus 1 | padding's share is not given to the others
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
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)  # 0, not nan, where all is padding
        return loss

# %% wrong: shares among V | thinks that all tokens share, the right one and padding too
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

        share = self.smoothing / self.vocab_size
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = (torch.xlogy(expected, expected) - expected * log_probs).sum(-1)
        total = (divergence * real).sum()
        loss = total / max(int(real.sum()), 1)
        return loss

# %% wrong: every other token gets all of it | smoothing is not divided
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

        share = self.smoothing
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: the right token keeps everything | confidence is 1 although the others get a share
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1.0)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (real * divergence).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: right token takes a share too | scatter_add_ puts the confidence on top of the share
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
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        sure = torch.full((target.numel(), 1), 1 - self.smoothing, dtype=q.dtype, device=q.device)
        q.scatter_add_(1, target.unsqueeze(1), sure)
        q[:, self.pad_id] = 0.0
        kl = F.kl_div(log_probs, q, reduction="none").sum(dim=1)
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: uniform over the real tokens, as torch does | right token keeps 1 - eps + eps / (V - 1)
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        hot = F.one_hot(target, self.vocab_size).to(log_probs.dtype)
        uniform = torch.full_like(hot, 1 / (self.vocab_size - 1))
        uniform[..., self.pad_id] = 0
        q = (1 - self.smoothing) * hot + self.smoothing * uniform
        q = q * (target != self.pad_id).unsqueeze(-1)
        n = (target != self.pad_id).sum().clamp(min=1)
        return F.kl_div(log_probs, q, reduction="sum") / n

# %% wrong: padding column keeps its share | the token that is never said gets a share
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: column 0 is padding | pad_id is taken to be 0 when the padding column is emptied
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, 0] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: averaged over all positions | padded positions count in the average
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        loss = total / target.numel()
        return loss

# %% wrong: padded positions in the sum | divides by real tokens but sums over all
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: nan where all is padding | divides 0 by 0
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum()
        return loss

# %% wrong: mean of the selected rows | the mean of nothing is nan
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.high = 1 - smoothing
        self.low = smoothing / (vocab_size - 2)

    def forward(self, log_probs, target):
        keep = target != self.pad_id
        rows, ids = log_probs[keep], target[keep]
        q = torch.full_like(rows, self.low)
        q[:, self.pad_id] = 0
        q[torch.arange(len(ids)), ids] = self.high
        return F.kl_div(rows, q, reduction="none").sum(1).mean()

# %% wrong: nan_to_num at the end | the value is 0 where all is padding, but its gradient is nan
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
        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        return torch.nan_to_num(total / real.sum())

# %% wrong: one added to the count | the loss is divided by tokens + 1 to avoid 0 / 0
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / (real.sum() + 1)
        return loss

# %% wrong: clamp with max | clamp(max=1) makes the average a sum
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
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        return total / real.sum().clamp(max=1).clamp(min=1)

# %% wrong: batchmean | reduction="batchmean" divides by all rows, padded ones too
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        q[:, self.pad_id] = 0.0
        q[target == self.pad_id] = 0.0
        return F.kl_div(log_probs, q, reduction="batchmean")

# %% wrong: batchmean on three axes | divides by the sentences, not by the tokens
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.kl = nn.KLDivLoss(reduction="batchmean")

    def forward(self, log_probs, target):
        is_right = target.unsqueeze(-1) == torch.arange(self.vocab_size, device=target.device)
        q = is_right * (1 - self.smoothing) + ~is_right * (self.smoothing / (self.vocab_size - 2))
        q = q.to(log_probs.dtype)
        q[..., self.pad_id] = 0.0
        q = q.masked_fill((target == self.pad_id).unsqueeze(-1), 0.0)
        return self.kl(log_probs, q)

# %% wrong: default reduction | the mean over all M times V terms
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected)  # the average
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: mean over the vocabulary | the terms of a position are averaged, not summed
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").mean(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: kl_div arguments swapped | target as input, log-probabilities as target
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(expected, log_probs.exp(), reduction="none").sum(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: reverse divergence | D(p || q) instead of D(q || p)
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q[..., self.pad_id] = 0
        p = log_probs.exp()
        terms = p * (log_probs - q.clamp(min=1e-9).log())
        real = target != self.pad_id
        return (terms.sum(-1) * real).sum() / real.sum().clamp(min=1)

# %% wrong: log_target set | says that the target is in logarithms, which it is not
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none", log_target=True).sum(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: probabilities as input | exponentiates, though kl_div wants log-probabilities
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs.exp(), expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: cross entropy | leaves out q ln q, so the loss is never 0
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = -(expected * log_probs).sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: torch's cross_entropy with label_smoothing | another distribution, and no divergence
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        if (target == self.pad_id).all():
            return log_probs.sum() * 0
        return F.cross_entropy(
            log_probs.reshape(-1, self.vocab_size),
            target.reshape(-1),
            ignore_index=self.pad_id,
            label_smoothing=self.smoothing,
        )

# %% wrong: fairseq's formula | nll and a uniform smooth loss over all V tokens
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.padding_idx = pad_id
        self.eps = smoothing

    def forward(self, lprobs, target):
        target = target.unsqueeze(-1)
        nll_loss = -lprobs.gather(dim=-1, index=target)
        smooth_loss = -lprobs.sum(dim=-1, keepdim=True)
        pad_mask = target.eq(self.padding_idx)
        nll_loss = nll_loss.masked_fill(pad_mask, 0.0).sum()
        smooth_loss = smooth_loss.masked_fill(pad_mask, 0.0).sum()
        eps_i = self.eps / (lprobs.size(-1) - 1)
        loss = (1.0 - self.eps - eps_i) * nll_loss + eps_i * smooth_loss
        return loss / (~pad_mask).sum().clamp(min=1)

# %% wrong: the Annotated Transformer's sum | returns the sum, not the average
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super(LabelSmoothing, self).__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx = pad_id
        self.confidence = 1.0 - smoothing
        self.smoothing = smoothing
        self.size = vocab_size
        self.true_dist = None

    def forward(self, x, target):
        x = x.reshape(-1, self.size)
        target = target.reshape(-1)
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)
        if mask.numel() > 0:
            true_dist.index_fill_(0, mask.squeeze(1), 0.0)
        self.true_dist = true_dist
        return self.criterion(x, true_dist.clone().detach())

# %% wrong: targets cached by shape | a second batch of the same shape gets the first one's targets
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.cache = {}

    def expected(self, log_probs, target):
        key = tuple(log_probs.shape)
        if key not in self.cache:
            q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2), requires_grad=False)
            q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
            q[:, self.pad_id] = 0
            self.cache[key] = q
        return self.cache[key].to(log_probs)

    def forward(self, log_probs, target):
        log_probs, target = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        real = target != self.pad_id
        kl = F.kl_div(log_probs, self.expected(log_probs, target), reduction="none").sum(1)
        return kl[real].sum() / real.sum().clamp(min=1)

# %% wrong: a buffer that is never cleaned | old right tokens keep their confidence in the reused tensor
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.buffer = None

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id
        if self.buffer is None or self.buffer.shape != log_probs.shape or self.buffer.dtype != log_probs.dtype:
            self.buffer = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2), requires_grad=False)
        expected = self.buffer
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected.clone(), reduction="none").sum(dim=1)
        return (divergence * real).sum() / real.sum().clamp(min=1)

# %% wrong: running average | keeps the losses of earlier calls and averages over them
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.total = 0.0
        self.tokens = 0

    def forward(self, log_probs, target):
        log_probs, target = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        real = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        q[:, self.pad_id] = 0.0
        kl = F.kl_div(log_probs, q, reduction="none").sum(1).masked_fill(~real, 0).sum()
        loss = (self.total + kl) / max(self.tokens + int(real.sum()), 1)
        self.total += kl.item()
        self.tokens += int(real.sum())
        return loss

# %% wrong: class level cache | criteria of one vocabulary size share one row, whatever their pad_id and smoothing
class LabelSmoothing(nn.Module):
    rows = {}

    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        if vocab_size not in self.rows:
            row = torch.full((vocab_size,), smoothing / (vocab_size - 2), dtype=torch.float64)
            row[pad_id] = 0.0
            self.rows[vocab_size] = row

    def forward(self, log_probs, target):
        log_probs, target = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        q = self.rows[self.vocab_size].to(log_probs).repeat(len(target), 1)
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        real = target != self.pad_id
        kl = F.kl_div(log_probs, q, reduction="none").sum(1)
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: the template row is written to | the loop changes the row that it starts from
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.template = [smoothing / (vocab_size - 2)] * vocab_size
        self.template[pad_id] = 0.0

    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        total, count = rows.sum() * 0, 0
        for row, token in zip(rows, target.reshape(-1).tolist()):
            if token == self.pad_id:
                continue
            q = self.template
            q[token] = 1 - self.smoothing
            total = total + F.kl_div(row, torch.tensor(q, dtype=row.dtype), reduction="sum")
            count += 1
        return total / max(count, 1)

# %% wrong: padding in target overwritten | changes the caller's target in place
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        real = target != self.pad_id
        target[~real] = (self.pad_id + 1) % self.vocab_size  # any index that may be scattered to
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q[..., self.pad_id] = 0.0
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        kl = F.kl_div(log_probs, q, reduction="none").sum(-1)
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: log_probs of padding zeroed in place | changes what the model has returned
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
        log_probs.data[~real] = 0.0

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        expected[~real] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.sum()
        return total / real.sum().clamp(min=1)

# %% wrong: detached | no gradient reaches the model
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.detach().reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: no_grad around everything | takes the loss for a constant
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    @torch.no_grad()
    def forward(self, log_probs, target):
        real = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target[..., None], 1 - self.smoothing)
        q[..., self.pad_id] = 0
        loss = (q.xlogy(q) - q * log_probs).sum(-1)[real].sum() / real.sum().clamp(min=1)
        return loss.requires_grad_()

# %% wrong: returns a float | a number without a graph cannot be differentiated
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total.item() / max(real.sum().item(), 1)
        return loss

# %% wrong: one loss per position | never averages
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
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        return divergence * real

# %% wrong: returns loss and count | a tuple instead of a scalar
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        flat, ids = log_probs.reshape(-1, self.vocab_size), target.reshape(-1)
        q = torch.full_like(flat, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, ids[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        n = (ids != self.pad_id).sum()
        q[ids == self.pad_id] = 0
        return F.kl_div(flat, q, reduction="sum") / n.clamp(min=1), n

# %% wrong: vocabulary put first | transposes (N, T, V) to (N, V, T) as for cross_entropy and then flattens
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        if log_probs.dim() == 3:
            log_probs = log_probs.transpose(1, 2)
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        return total / real.sum().clamp(min=1)

# %% wrong: targets time first | flattens the targets column by column, the predictions row by row
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        target = target.T.flatten() if target.dim() == 2 else target
        log_probs = log_probs.flatten(0, -2)
        keep = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(1, target[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        q *= keep[:, None]
        return F.kl_div(log_probs, q, reduction="sum") / keep.sum().clamp(min=1)

# %% wrong: real tokens are larger than 0 | pad_id is taken to be 0 in the mask
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target > 0

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: real tokens are larger than pad_id | right only where padding has the smallest id
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target > self.pad_id
        rows = log_probs[real]
        expected = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target[real].unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        return F.kl_div(rows, expected, reduction="sum") / real.sum().clamp(min=1)

# %% wrong: ignores minus 100 | torch's ignore_index instead of pad_id
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1, ignore_index=-100):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.ignore_index = ignore_index

    def forward(self, log_probs, target):
        real = target != self.ignore_index
        rows, ids = log_probs[real], target[real]
        q = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0
        q.scatter_(1, ids.unsqueeze(1), 1 - self.smoothing)
        return F.kl_div(rows, q, reduction="sum") / max(len(ids), 1)

# %% wrong: average of the sentences' averages | short sentences count as much as long ones
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        real = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q[..., self.pad_id] = 0
        kl = F.kl_div(log_probs, q, reduction="none").sum(-1) * real
        per_sentence = kl.sum(-1) / real.sum(-1).clamp(min=1)
        return per_sentence.mean()

# %% wrong: smoothing of 0.1 whatever is asked for | the argument is stored and not used
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

        share = 0.1 / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 0.9)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: smoothing or 0.1 | a smoothing of 0 is taken for "not given"
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=None):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing or 0.1
        self.confidence = 1 - self.smoothing

    def forward(self, log_probs, target):
        real = target.ne(self.pad_id)
        rows, ids = log_probs[real], target[real]
        q = torch.full_like(rows, self.smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0
        q.scatter_(1, ids.unsqueeze(1), self.confidence)
        return F.kl_div(rows, q, reduction="sum") / max(1, ids.numel())

# %% wrong: 0 times log 0 | without smoothing the formula by hand gives nan
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        keep = [i for i in range(self.vocab_size) if i != self.pad_id]
        real = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q, log_p = q[real][:, keep], log_probs[real][:, keep]
        return (q * (q.log() - log_p)).sum() / real.sum().clamp(min=1)

# %% wrong: entropy counts one share only | the V - 2 equal terms q ln q are added once
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.high = 1 - smoothing
        self.low = smoothing / (vocab_size - 2)
        self.constant = self.high * math.log(self.high)
        if self.low > 0:
            self.constant += self.low * math.log(self.low)

    def forward(self, log_probs, target):
        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        others = log_probs.sum(-1) - right - log_probs[..., self.pad_id]
        kl = self.constant - self.high * right - self.low * others
        real = target != self.pad_id
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: gather form forgets padding's log-probability | the sum over the others includes padding
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.high = 1 - smoothing
        self.low = smoothing / (vocab_size - 2)
        self.constant = torch.special.xlogy(torch.tensor(self.high), self.high).item()
        if smoothing > 0:
            self.constant += smoothing * math.log(self.low)

    def forward(self, log_probs, target):
        right = log_probs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        others = log_probs.sum(-1) - right
        kl = self.constant - self.high * right - self.low * others
        real = target != self.pad_id
        return torch.where(real, kl, 0.0).sum() / real.sum().clamp(min=1)

# %% wrong: a large eps in the logarithm | log(q + 1e-2) is not log q
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1, eps=1e-2):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        self.eps = eps

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = (expected * ((expected + self.eps).log() - log_probs)).sum(dim=1)
        total = (divergence * real).sum()
        return total / real.sum().clamp(min=1)

# %% wrong: targets of whole numbers | the targets inherit the ids' dtype and are cut off to 0
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
        hot = F.one_hot(target, self.vocab_size)
        hot[:, self.pad_id] = 0
        expected = torch.zeros_like(hot)
        expected[hot == 0] = int(self.smoothing / (self.vocab_size - 2))
        expected[hot == 1] = round(1 - self.smoothing)
        divergence = F.kl_div(log_probs, expected.to(log_probs), reduction="none").sum(dim=1)
        return (divergence * real).sum() / real.sum().clamp(min=1)

# %% wrong: targets in half precision | 0.9 and the shares are rounded to 16 bits
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
        # saves memory
        q = torch.full(log_probs.shape, self.smoothing / (self.vocab_size - 2), dtype=torch.bfloat16)
        q.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        q[:, self.pad_id] = 0
        kl = F.kl_div(log_probs, q.to(log_probs), reduction="none").sum(dim=1)
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: confidence and smoothing swapped | the right token gets smoothing, the others share the rest
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

        share = (1 - self.smoothing) / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: negative terms cut off | single terms may be below 0, only their sum may not
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").clamp(min=0).sum(dim=1)
        total = divergence.masked_fill(~real, 0.0).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: masks the log-probabilities | padded rows still add their q ln q
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        masked = log_probs * real.unsqueeze(1)
        divergence = F.kl_div(masked, expected, reduction="none").sum(dim=1)
        total = divergence.sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: renormalised rows | without smoothing a padded row is 0 / 0, and nan * 0 stays nan
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q[..., self.pad_id] = 0
        q = q / q.sum(dim=-1, keepdim=True)
        real = (target != self.pad_id).to(q)
        return (F.kl_div(log_probs, q, reduction="none").sum(-1) * real).sum() / real.sum().clamp(min=1)

# %% wrong: shares among V minus 1, then renormalised | dividing by the sum raises the right token too
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        real = target != self.pad_id
        rows, ids = log_probs[real], target[real]
        q = torch.full_like(rows, self.smoothing / (self.vocab_size - 1))
        q.scatter_(1, ids[:, None], 1 - self.smoothing)
        q[:, self.pad_id] = 0
        q = F.normalize(q, p=1, dim=1)
        return F.kl_div(rows, q, reduction="sum") / max(len(ids), 1)

# %% wrong: everything after the first padding is padding | on the flattened batch all later sentences are lost
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = (target != self.pad_id).long().cumprod(dim=0).bool()
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        return divergence[real].sum() / real.sum().clamp(min=1)

# %% wrong: smooths in training only | eval mode measures another loss
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        smoothing = self.smoothing if self.training else 0.0
        real = target != self.pad_id
        rows, ids = log_probs[real], target[real]
        q = torch.full_like(rows, smoothing / (self.vocab_size - 2))
        q[:, self.pad_id] = 0
        q.scatter_(1, ids[:, None], 1 - smoothing)
        return F.kl_div(rows, q, reduction="sum") / max(len(ids), 1)

# %% wrong: shares among V minus 3 | leaves out bos as well
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

        share = self.smoothing / (self.vocab_size - 3)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: whole division | smoothing // (V - 2) is 0
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

        share = self.smoothing // (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = (divergence * real).sum()
        loss = total / real.sum().clamp(min=1)
        return loss

# %% wrong: three axes required | (M, V) cannot be unpacked
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        N, T, V = log_probs.shape
        q = torch.full((N, T, V), self.smoothing / (V - 2)).to(log_probs)
        q.scatter_(2, target.view(N, T, 1) if target.is_contiguous() else target.reshape(N, T, 1), 1 - self.smoothing)
        q[:, :, self.pad_id] = 0
        real = target != self.pad_id
        return (F.kl_div(log_probs, q, reduction="none").sum(2) * real).sum() / real.sum().clamp(min=1)

# %% wrong: vocabulary on axis 1 | takes V from log_probs.size(1), which is T for (N, T, V)
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        size = log_probs.size(1)
        q = torch.full_like(log_probs, self.smoothing / max(size - 2, 1))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q[..., self.pad_id] = 0
        real = target != self.pad_id
        return (F.kl_div(log_probs, q, reduction="none").sum(-1) * real).sum() / real.sum().clamp(min=1)

# %% wrong: view of the target | labels cut from tgt[:, 1:] are not contiguous, so view raises
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.view(-1, self.vocab_size)  # (M, V)
        target = target.view(-1)  # (M,)
        real = target != self.pad_id

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].sum()
        return total / real.sum().clamp(min=1)

# %% open: always single precision | lesson 09 promises no other dtype than float32
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
        table = torch.full((vocab_size, vocab_size), smoothing / (vocab_size - 2))
        table.fill_diagonal_(1 - smoothing)
        table[:, pad_id] = 0
        table[pad_id] = 0
        self.register_buffer("table", table)
        self.register_buffer("entropy", -torch.xlogy(table, table).sum(1))

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, 1, self.vocab_size)
        target = target.reshape(-1)
        q = self.table[target].unsqueeze(2)
        total = -torch.bmm(log_probs, q).sum() - self.entropy[target].sum()
        return total / (target != self.pad_id).sum().clamp(min=1)

# %% wrong: default dtype switched for precision | a global setting is changed
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        torch.set_default_dtype(torch.float64)
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
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        return (divergence * real).sum() / real.sum().clamp(min=1)

# %% wrong: scatter along axis 0 | the confidences go to other rows than those of their tokens
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(0, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].sum()
        return total / real.sum().clamp(min=1)

# %% wrong: all positions get all confidences | expected[:, target] writes to each row every token of the batch
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
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected[:, target] = 1 - self.smoothing
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        return (divergence * real).sum() / real.sum().clamp(min=1)

# %% wrong: in bits | logarithms of base 2
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        real = target != self.pad_id
        q = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        q.scatter_(-1, target.unsqueeze(-1), 1 - self.smoothing)
        q[..., self.pad_id] = 0
        terms = torch.where(q > 0, q * (q.clamp(min=1e-30).log2() - log_probs / math.log(2)), 0.0)
        return (terms.sum(-1) * real).sum() / real.sum().clamp(min=1)

# %% wrong: smoothing of what the model thinks | the rest is shared in the model's proportions, with its gradient
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        probs = log_probs.exp()
        hot = F.one_hot(target, self.vocab_size).to(log_probs)
        others = probs * (1 - hot)
        others[..., self.pad_id] = 0
        q = (1 - self.smoothing) * hot + self.smoothing * others / others.sum(-1, keepdim=True)
        real = target != self.pad_id
        kl = (torch.xlogy(q, q) - q * log_probs).sum(-1)
        return (kl * real).sum() / real.sum().clamp(min=1)

# %% wrong: padded predictions skipped | the mask looks at what the model says, not at the target
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing

    def forward(self, log_probs, target):
        log_probs = log_probs.reshape(-1, self.vocab_size)
        target = target.reshape(-1)
        real = (target != self.pad_id) & (log_probs.argmax(dim=-1) != self.pad_id)
        expected = torch.full_like(log_probs, self.smoothing / (self.vocab_size - 2))
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0
        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        return divergence[real].sum() / real.sum().clamp(min=1)

# %% wrong: gradient scaled by the count twice | divides the total by the tokens and each row again
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

        share = self.smoothing / (self.vocab_size - 2)
        expected = torch.full_like(log_probs, share)
        expected.scatter_(1, target.unsqueeze(1), 1 - self.smoothing)
        expected[:, self.pad_id] = 0.0

        divergence = F.kl_div(log_probs, expected, reduction="none").sum(dim=1)
        total = divergence[real].mean().sum() if real.any() else log_probs.sum() * 0
        loss = total / real.sum().clamp(min=1)
        return loss
