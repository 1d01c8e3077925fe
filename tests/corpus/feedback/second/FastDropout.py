# %% wrong: threshold_not_shifted | TRUE CAUSE: The threshold is 65536 p without the shift by -32768, so far too many numbers are dropped.
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
        kept = numbers >= 65536 * self.p
        scale = kept.to(x.dtype) / max(1.0 - self.p, 1e-12)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: nan_for_p_one | TRUE CAUSE: The division by 1 - p is not guarded, so with p = 1 the result is 0 / 0 = nan instead of 0.
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
        kept = torch.ge(numbers, int(round(65536 * self.p)) - 32768) if self.p < 1 else torch.zeros_like(numbers, dtype=torch.bool)
        scale = kept.to(x.dtype) / (1 - self.p)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: same_for_all_rows | TRUE CAUSE: Numbers are drawn for the last axis only and used for all positions, so the same features are dropped everywhere instead of each position by itself.
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        if self.p == 1.0:
            return x * 0.0
        width = x.size(-1)
        draws = torch.empty(width // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[:width]
        kept = numbers >= round(65536 * self.p) - 32768
        return x * (kept.to(x.dtype) / (1 - self.p))

# %% wrong: not_scaled_and_in_eval | TRUE CAUSE: Two mistakes: what is kept is not scaled up by 1 / (1 - p); and the mode is never asked for, so it drops in evaluation too.
class FastDropout(nn.Module):
    """Four random numbers from each draw."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.threshold = 65536 * self.p - 32768

    def forward(self, x):
        if self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        draws = torch.empty(x.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)
        return torch.where(numbers >= self.threshold, x, torch.zeros_like(x))
