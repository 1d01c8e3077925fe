# %% right: positions of the real tokens by nonzero, mean of a stack
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def one(self, row, token):
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
# %% right: without the column of padding
class LabelSmoothing(nn.Module):
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
