# %% wrong: half_the_range | TRUE CAUSE: the threshold goes up from the lowest number by p * 32768, half of the range of 65536, so only half of p is dropped (the scale is that of p)
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
        kept = numbers >= self.p * 32768 - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: divided_by_the_dropped_share | TRUE CAUSE: what is kept is divided by p, the share that is dropped, instead of by 1 - p (the same at 0.5 only)
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
        kept = numbers >= self.p * 65536 - 32768
        scale = kept.to(x.dtype) / max(self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: one_number_for_four | TRUE CAUSE: one random number is drawn for every four neighbors and repeated, so they are kept or dropped together: 'four at a time' taken for a common fate
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        draws = torch.randint(-32768, 32768, (x.numel() // 4 + 1,))
        numbers = draws.repeat_interleave(4)[: x.numel()].view(x.shape)
        kept = numbers >= 65536 * self.p - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)
        return x * scale

# %% wrong: in_place | TRUE CAUSE: x is multiplied in place, so the tensor that the caller passed is changed as well (and a leaf that needs a gradient crashes)
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        draws = torch.empty(x.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)
        dropped = numbers < 65536 * self.p - 32768
        x *= 1 / max(1 - self.p, 2**-16)
        return x.masked_fill_(dropped, 0.0)

