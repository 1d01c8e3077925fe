# %% right: counted_from_zero
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
        counted = numbers.to(torch.int32) + 32768  # 0 to 65535
        limit = round(self.p * 65536)
        factor = 1.0 / max(1.0 - self.p, 2**-16)
        return x * ((counted >= limit).to(x.dtype) * factor)

# %% right: not_below
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
        kept = ~(numbers.int() < round((self.p - 0.5) * 2**16))
        scale = kept.to(x.dtype) / max(1.0 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale


# %% right: own_shift_and_mask
class FastDropout(nn.Module):
    """Cuts each random 64-bit number into four of 16 bits, 0 to 65535."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, p=self.p, training=True)
        count = x.numel()
        long = torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        shifts = torch.tensor([0, 16, 32, 48])
        numbers = ((long[:, None] >> shifts) & 0xFFFF).flatten()[:count].reshape(x.shape)
        gone = numbers < round(self.p * 65536)
        if self.p < 1.0:
            x = x / (1.0 - self.p)
        return x.masked_fill(gone, 0.0)

# %% right: own_view_of_int16_first
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = self.p * 2**16 - 2**15  # a float: 32768 is no int16
        self.factor = 0.0 if self.p == 1 else 1 / (1 - self.p)

    def forward(self, x):
        if self.training and self.p > 0:
            if x.device.type == "cpu":
                return x * self.mask_for(x)
            return F.dropout(x, self.p)
        return x

    def mask_for(self, x):
        quarter = math.ceil(x.numel() / 4)
        small = torch.empty(4 * quarter, dtype=torch.int16)
        small.view(torch.int64).random_(-(2**63), None)
        kept = torch.ge(small[: x.numel()], self.limit).reshape(x.shape)
        return kept.to(x.dtype).mul_(self.factor)
