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
# %% right: thirteenth_own_closed_form_of_real_rows
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    @staticmethod
    def x_log_x(x):
        return x * math.log(x) if x > 0 else 0.0
    @staticmethod
    def times(weight, numbers):
        return weight * numbers if weight > 0 else 0.0 * numbers.nan_to_num()
    def forward(self, log_probs, target):
        real = target.reshape(-1) != self.pad_id
        log_probs = log_probs.reshape(-1, self.vocab_size)[real]  # only real positions
        right = target.reshape(-1)[real]
        confidence, others = 1 - self.smoothing, max(self.vocab_size - 2, 1)
        share = self.smoothing / others
        constant = self.x_log_x(confidence) + others * self.x_log_x(share)
        hidden = F.one_hot(right, self.vocab_size).bool()
        hidden[:, self.pad_id] = True
        of_right = log_probs.gather(1, right.unsqueeze(1)).squeeze(1)
        of_others = log_probs.masked_fill(hidden, 0.0).sum(dim=1)
        divergence = constant - self.times(confidence, of_right) - self.times(share, of_others)
        return divergence.sum() / max(right.numel(), 1)
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
# %% right: fourteenth_own_closed_form
class LabelSmoothing(nn.Module):
    def __init__(self, vocab_size, pad_id, smoothing=0.1):
        super().__init__()
        self.vocab_size = vocab_size
        self.pad_id = pad_id
        self.smoothing = smoothing
    def forward(self, log_probs, target):
        rows = log_probs.reshape(-1, self.vocab_size)
        goal = target.reshape(-1, 1)
        sure, share = 1 - self.smoothing, self.smoothing / (self.vocab_size - 2)
        # The sum of q ln q is the same for each real token: one sure token and V - 2 others.
        known = 0.0
        if sure > 0:
            known += sure * math.log(sure)
        if share > 0:
            known += self.smoothing * math.log(share)
        # The sum of q ln p: the right token, and all others that are neither right nor padding.
        said = rows.gather(1, goal).squeeze(1)
        left_out = torch.zeros_like(rows, dtype=torch.bool)
        left_out[:, self.pad_id] = True
        left_out = left_out.scatter(1, goal, True)
        others = rows.masked_fill(left_out, 0.0).sum(dim=1)
        each = known - sure * said
        if share > 0:
            each = each - share * others
        real = (goal != self.pad_id).squeeze(1)
        return torch.where(real, each, torch.zeros_like(each)).sum() / max(int(real.sum()), 1)
# %% right: field_annotated
class LabelSmoothing(nn.Module):
    def __init__(self, size, padding_idx, smoothing=0.1):
        super().__init__()
        self.criterion = nn.KLDivLoss(reduction="sum")
        self.padding_idx, self.smoothing, self.size = padding_idx, smoothing, size
        self.confidence = 1.0 - smoothing
    def forward(self, x, target):
        x = x.reshape(-1, self.size)
        target = target.reshape(-1)
        true_dist = x.data.clone()
        true_dist.fill_(self.smoothing / (self.size - 2))
        true_dist.scatter_(1, target.data.unsqueeze(1), self.confidence)
        true_dist[:, self.padding_idx] = 0
        mask = torch.nonzero(target.data == self.padding_idx)
        if len(mask) > 0:
            true_dist.index_fill_(0, mask.squeeze(1), 0.0)
        ntokens = (target != self.padding_idx).sum().clamp(min=1)
        return self.criterion(x, true_dist.clone().detach()) / ntokens
