# %% wrong: p_is_the_share_kept | TRUE CAUSE: p is taken for the probability of keeping a number: the share p is kept and divided by p, not the share 1 - p (no difference at 0.5)
class FastDropout(nn.Module):
    """Dropout that draws four random numbers at once, where a CPU draws them one by one.

    It takes the rate of an nn.Dropout, to the nearest 1 / 65536: 16 random bits are enough for
    a number that is only compared. A GPU draws in parallel: there it is F.dropout. The result
    has the shape and dtype of x; in evaluation it is x.
    """

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
        kept = numbers < self.p * 65536 - 32768
        scale = kept.to(x.dtype) / max(self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: threshold_from_the_middle | TRUE CAUSE: the threshold is p times 32768, as if the numbers went from 0 to 32767; they begin at -32768, so more than half is always dropped
class FastDropout(nn.Module):
    """Dropout that draws four random numbers at once, where a CPU draws them one by one.

    It takes the rate of an nn.Dropout, to the nearest 1 / 65536: 16 random bits are enough for
    a number that is only compared. A GPU draws in parallel: there it is F.dropout. The result
    has the shape and dtype of x; in evaluation it is x.
    """

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
        kept = numbers >= self.p * 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: draws_without_a_sign | TRUE CAUSE: random_() without bounds never draws a negative int64, so the sign bit is always 0 and every fourth 16-bit number is at least 0: these positions are dropped too seldom
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
        size = x.numel()
        draws = torch.empty(size // 4 + 1, dtype=torch.int64).random_()
        numbers = draws.view(torch.int16)[:size].view(x.shape)
        uniform = numbers / 65536 + 0.5  # 0 to 1
        kept = uniform >= self.p
        return x * kept.to(x.dtype) / max(1.0 - self.p, 2**-16)
