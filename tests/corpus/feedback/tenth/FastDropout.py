# %% wrong: keeps_what_should_go | TRUE CAUSE: the comparison of `kept` is turned round (numbers below the threshold are kept), so a share p is kept and 1 - p is dropped; only with p = 0.5 it is right
class FastDropout(nn.Module):
    """Dropout that draws four random numbers at once, where a CPU draws them one by one."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        draws = torch.empty(x.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = numbers.int() < round(self.p * 65536) - 32768
        scale = kept.to(x.dtype) / max(1.0 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: multiplies_in_place | TRUE CAUSE: the result is made with x.mul_ in place, so the caller's tensor x is overwritten (and a leaf that requires a gradient cannot be used)
class FastDropout(nn.Module):
    """Dropout that draws four random numbers at once, where a CPU draws them one by one."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        draws = torch.empty(x.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = numbers.int() >= round(self.p * 2**16) - 2**15
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x.mul_(scale)

# %% wrong: own_63_bits | TRUE CAUSE: random_() without a range draws int64 from 0 upward, its top bit is always 0, so every fourth 16-bit number is never negative and these elements are dropped less often (never for p <= 0.5)
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = int(round(dropout.p * 65536)) - 32768

    def forward(self, x):
        if self.p == 0 or not self.training:
            return x
        if x.is_cuda:
            return F.dropout(x, self.p, True)
        n = x.numel()
        bits = torch.empty((n + 3) // 4, dtype=torch.long).random_()
        noise = bits.view(torch.int16)[:n].reshape(x.shape).to(torch.int32)
        if self.p == 1:
            return x * 0.0
        return torch.where(noise >= self.limit, x / (1 - self.p), torch.zeros_like(x))

# %% wrong: own_one_number_for_four | TRUE CAUSE: each draw gives one number that is repeated for four neighbouring elements, instead of four numbers, so elements are dropped in groups of four and not each by itself
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        count = x.numel()
        drawn = torch.randint(-32768, 32768, (count // 4 + 1,))
        each = drawn.repeat_interleave(4)[:count].view(x.shape)
        drop = each < round(self.p * 65536) - 32768
        keep_share = max(1 - self.p, 2**-16)
        return x.masked_fill(drop, 0.0) / keep_share
