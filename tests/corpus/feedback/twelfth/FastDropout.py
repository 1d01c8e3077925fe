# %% wrong: numbers_taken_for_positive | TRUE CAUSE: the blank kept compares with p * 32768, as if the numbers went from 0 to 32767; they start at -32768, so the share (1 + p) / 2 is dropped instead of p
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

# %% wrong: scaled_by_the_drawn_share | TRUE CAUSE: divides by the share of elements that this draw happened to keep (the mean of kept) instead of by the constant 1 - p, so the scale changes with each call
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
        scale = kept.to(x.dtype) / max(kept.float().mean().item(), 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: own_zeroes_the_input | TRUE CAUSE: works in place on a view of x (x.view(-1)) under no_grad instead of on a new tensor: the caller's tensor itself is changed, and the gradient does not know of the dropout
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = round(65536 * dropout.p) - 32768

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        n = x.numel()
        bits = torch.empty((n + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        drop = bits.view(torch.int16)[:n].int() < self.limit
        with torch.no_grad():
            flat = x.view(-1)
            flat[drop] = 0
            flat /= max(1 - self.p, 2**-16)
        return x

# %% wrong: own_one_number_for_four | TRUE CAUSE: each draw gives one number that is repeated for four neighbours (repeat_interleave) instead of four different ones, so elements are dropped in groups of four and not each by itself
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        if x.is_cuda:
            return F.dropout(x, self.p)
        size = x.numel()
        draws = torch.randint(-32768, 32768, (size // 4 + 1,))
        four = draws.repeat_interleave(4)[:size].reshape(x.shape)
        mask = four >= round(self.p * 65536) - 32768
        return torch.where(mask, x / max(1 - self.p, 2**-16), 0.0).to(x.dtype)
