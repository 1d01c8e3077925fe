# %% wrong: keeps_the_lower_part | TRUE CAUSE: the comparison is turned round: the numbers below the threshold are kept and the others dropped, so a share p is kept and 1 - p dropped (which only p = 0.5 hides)
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
        kept = numbers < self.p * 2**16 - 2**15
        scale = kept.to(x.dtype) / max(1 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: threshold_half_range | TRUE CAUSE: the threshold is (p - 0.5) * 32768 although the numbers span 65536, so the dropped share is 0.25 + p / 2 and not p (right only for p = 0.5)
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
        kept = numbers >= (self.p - 0.5) * 32768
        scale = kept.to(x.dtype) / max(1.0 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: own_four_share_one | TRUE CAUSE: only the first of the four numbers of each draw is used and repeated for four elements, so four neighbours are always dropped or kept together and not each by itself
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        count = x.numel()
        draws = torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        draws = draws.view(torch.int16)[::4].repeat_interleave(4)
        numbers = draws[:count].reshape(x.shape).to(torch.int32)
        threshold = round(self.p * 65536) - 32768
        kept = (numbers >= threshold).to(x.dtype)
        if self.p == 1:
            return x * kept
        return x * kept / (1 - self.p)

# %% wrong: own_in_place | TRUE CAUSE: the dropped elements are zeroed and the rest scaled in x itself (masked_fill_, div_), so the caller's input is changed
class FastDropout(nn.Module):
    """Dropout from 16 bit numbers."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    @staticmethod
    def random_numbers(shape):
        n = math.prod(shape)
        bits = torch.empty(n // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        return bits.view(torch.int16)[:n].view(shape).int() + 32768

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        if x.device.type == "cpu":
            dropped = self.random_numbers(x.shape) < self.p * 65536
            with torch.no_grad():
                x.masked_fill_(dropped, 0.0)
                x.div_(max(1.0 - self.p, 2**-16))
            return x
        return F.dropout(x, self.p)
