# %% wrong: keeps_what_it_should_drop | TRUE CAUSE: the comparison is the wrong way round: the lowest share p of the numbers is kept and the rest dropped (unnoticed at p = 0.5)
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
        kept = numbers < round(self.p * 65536) - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: divided_by_p | TRUE CAUSE: what is kept is divided by p, the share that is dropped, instead of by 1 - p (unnoticed at p = 0.5)
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
        scale = kept.to(x.dtype) / max(self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% wrong: numbers_centered_on_zero | TRUE CAUSE: the numbers are divided by 65536 and compared with p as if they went from 0 to 1, but they go from -0.5 to 0.5: p + 0.5 of all is dropped
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
        uniform = numbers.float() / 65536
        kept = uniform >= self.p
        scale = kept.to(x.dtype) / max(1.0 - self.p, 2**-16)
        return x * scale
