# %% wrong: keeps_what_should_go | TRUE CAUSE: the comparison is the wrong way round: the lower share p is kept and the rest is dropped
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
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: divides_by_the_rate | TRUE CAUSE: divides what is kept by p instead of 1 - p, which is the same only at the example of 0.5
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
        kept = numbers >= self.p * 2**16 - 2**15
        scale = kept.to(x.dtype) / max(self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: one_mask_for_all_positions | TRUE CAUSE: draws numbers for the last axis only and broadcasts them, so all positions lose the same features
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
        size = x.size(-1)
        draws = torch.empty(size // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[:size]  # -32768 to 32767
        kept = numbers >= self.p * 65536 - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)
        return x * scale
