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


# %% right: tenth_own_shifts
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if self.p == 0 or not self.training:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p, training=True)
        n = x.numel()
        draws = torch.empty((n + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        parts = [(draws >> shift) & 0xFFFF for shift in (0, 16, 32, 48)]  # 0 to 65535 each
        uniform = torch.stack(parts, dim=1).flatten()[:n].view(x.shape)
        dropped = uniform < round(self.p * 65536)
        return x.masked_fill(dropped, 0.0) / max(1.0 - self.p, 2**-16)

# %% right: tenth_own_where
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def random_numbers(self, shape):
        size = math.prod(shape)
        draws = torch.empty(size // 4 + 1, dtype=torch.int64)
        draws.random_(-(2**63), None)
        return draws.view(torch.int16)[:size].reshape(shape)

    def forward(self, x):
        if not (self.training and self.p > 0):
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        share = round(self.p * 65536) / 65536
        if share == 1:
            return x * torch.zeros_like(x)
        noise = self.random_numbers(x.shape)
        keep = noise >= int(share * 65536) - 32768
        zero = torch.zeros((), dtype=x.dtype)
        return torch.where(keep, x * (1 / (1 - share)), zero)


# %% right: eleventh_own_shifted_to_unsigned
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
            dropped = self.random_numbers(x.shape) < round(self.p * 65536)
            return x.masked_fill(dropped, 0.0) / max(1.0 - self.p, 2**-16)
        return F.dropout(x, self.p)

# %% right: eleventh_own_torch_where
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        p = self.p
        if p == 0 or not self.training:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, p, training=True)
        count = x.numel()
        draws = torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[:count].reshape(x.shape)
        last_dropped = round(p * 65536) - 32768 - 1
        factor = 0.0 if p == 1 else 1 / (1 - p)
        zero = torch.zeros((), dtype=x.dtype)
        if last_dropped < -32768:
            return x * factor
        return torch.where(numbers > last_dropped, x * factor, zero)


# %% right: twelfth_own_threshold_in_init
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = round(self.p * 2**16) - 2**15

    def forward(self, x):
        if self.p == 0 or not self.training:
            return x
        if x.device.type == "cpu":
            n = x.numel()
            draws = torch.empty(-(-n // 4), dtype=torch.int64).random_(-(2**63), None)
            numbers = draws.view(torch.int16)[:n].int().reshape(x.shape)
            factor = 1 / (1 - self.p) if self.p < 1 else 0.0
            return x * ((numbers >= self.limit).to(x.dtype) * factor)
        return F.dropout(x, self.p)

# %% right: twelfth_own_shifted_bits
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def _numbers(self, count):
        draws = torch.empty(count // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
        quarters = torch.stack([(draws >> shift) & 0xFFFF for shift in (0, 16, 32, 48)], dim=1)
        return quarters.flatten()[:count]

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        dropped = (self._numbers(x.numel()) < round(self.p * 65536)).view(x.shape)
        return x.masked_fill(dropped, 0.0) / max(1 - self.p, 2**-16)
