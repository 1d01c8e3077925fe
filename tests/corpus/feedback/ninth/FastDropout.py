# %% wrong: divides_by_the_rate | TRUE CAUSE: What is kept is divided by p instead of by 1 - p, so (except for p = 0.5) the mean of the output is not that of x.
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

# %% wrong: limit_does_not_fit_int16 | TRUE CAUSE: The limit is a Python int, and for p = 1 it is 32768, which wraps to -32768 when it is compared with int16 numbers, so everything is kept and multiplied by 65536 instead of nothing.
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
        kept = numbers >= round(self.p * 65536) - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: own_neighbours_share_a_draw | TRUE CAUSE: One 16-bit number is drawn for each group of four elements and repeated for all four, so neighbouring positions are dropped together instead of each by itself.
class FastDropout(nn.Module):
    """One draw serves four numbers."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = round(self.p * 65536)

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p, True)
        groups = -(-x.numel() // 4)
        draws = torch.randint(0, 65536, (groups,))
        kept = (draws >= self.limit).repeat_interleave(4)[: x.numel()].view(x.shape)
        if self.p == 1.0:
            return x * 0.0
        return x * kept.to(x.dtype) / (1.0 - self.p)

# %% wrong: own_in_place | TRUE CAUSE: The result is computed with masked_fill_ and div_ in x itself instead of in a new tensor, so the caller's x is overwritten, for instance the one that a residual connection still adds.
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    @staticmethod
    def random_bits(count):
        words = torch.empty((count + 3) // 4, dtype=torch.int64)
        words.random_(-(2**63), None)
        return words.view(torch.int16)[:count]

    def forward(self, x):
        active = self.training and self.p > 0
        if not active:
            return x
        if x.is_cuda:
            return F.dropout(x, p=self.p)
        bits = self.random_bits(x.numel()).reshape(x.shape)
        gone = bits.float() < self.p * 65536 - 32768
        return x.masked_fill_(gone, 0.0).div_(max(1 - self.p, 2**-16))

