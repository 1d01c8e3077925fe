# %% wrong: keeps_what_should_go | TRUE CAUSE: the comparison is turned round: a share of p is kept, in place of 1 - p
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

# %% wrong: divides_by_p | TRUE CAUSE: what is kept is divided by p, not by the share that is kept, 1 - p
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

# %% wrong: numbers_from_zero | TRUE CAUSE: the threshold is p times 65536, as if the numbers began at 0; they begin at -32768, so far too many are dropped (all of them from p = 0.5 on)
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
        kept = numbers >= self.p * 65536
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: half_of_the_range | TRUE CAUSE: takes the numbers, divided by 32768, for fractions from 0 to 1 (they are from -1 to 1), so the share that is dropped is (1 + p) / 2, yet it divides by 1 - p
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
        fractions = numbers / 32768
        kept = fractions >= self.p
        return x * kept.to(x.dtype) / max(1 - self.p, 2**-16)

# %% wrong: one_mask_for_all_positions | TRUE CAUSE: draws numbers for the last axis alone, so every position of every sentence drops the same features
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        features = x.size(-1)
        draws = torch.empty(features // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[:features]
        kept = numbers >= self.p * 65536 - 32768
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)
        return x * scale

# %% wrong: not_rescaled_and_in_place | TRUE CAUSE: two mistakes: what is kept is not divided by 1 - p, and x itself is changed in place
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
        dropped = numbers < self.p * 65536 - 32768
        with torch.no_grad():
            x[dropped] = 0.0
        return x
