# %% wrong: keeps_the_dropped | TRUE CAUSE: the comparison is the wrong way round, so a share p is kept and 1 - p is dropped
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
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = numbers < round(65536 * self.p) - 32768
        scale = kept.to(x.dtype) / (1.0 - self.p) if self.p < 1.0 else kept.to(x.dtype)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: not_scaled | TRUE CAUSE: what is kept is not scaled up by 1 / (1 - p)
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
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = numbers >= 65536 * self.p - 32768
        scale = kept.to(x.dtype)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: dropout_unknown | TRUE CAUSE: forward asks for self.dropout, which was never stored (only its p was), so it raises an AttributeError
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
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = numbers >= 65536 * self.dropout.p - 32768
        scale = kept.to(x.dtype) / max(1 - self.dropout.p, 1e-9)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: from_zero_on | TRUE CAUSE: the threshold is 65536 * p as if the numbers began at 0, the 32768 is not subtracted, so far too much is dropped
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
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = torch.ge(numbers, 2**16 * self.p)
        scale = torch.zeros_like(x).masked_fill(kept, 1 / (1 - self.p) if self.p < 1 else 0.0)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: nan_and_dtype | TRUE CAUSE: two mistakes: with p = 1 the division by 1 - p gives nan instead of 0; and the scale is float32 whatever x is, so a half precision x comes back as float32
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
        numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)  # -32768 to 32767
        kept = ~(numbers < 65536 * self.p - 32768)
        scale = torch.true_divide(kept, 1 - self.p)  # with p = 1 nothing is kept
        return x * scale

# %% wrong: in_place | TRUE CAUSE: the input itself is multiplied in place, so the caller's tensor is changed
class FastDropout(nn.Module):
    """Dropout that draws four random numbers at once."""

    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        n = x.numel()
        bits = torch.empty((n + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        kept = (bits.view(torch.int16)[:n] >= 65536 * self.p - 32768).view(x.shape)
        factor = 1.0 / (1.0 - self.p) if self.p < 1 else 0.0
        return x.mul_(kept.to(x.dtype) * factor)  # in place saves memory

# %% wrong: same_for_every_row | TRUE CAUSE: numbers are drawn for the last axis only and used for every position, so all positions lose the same features
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
        kept = numbers >= 65536 * self.p - 32768
        if self.p == 1.0:
            return x * 0.0
        return x * (kept.to(x.dtype) / (1 - self.p))

# %% wrong: drawn_once | TRUE CAUSE: the mask is kept after the first call and used again for every tensor of the same shape, instead of new numbers at each call
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.masks = {}

    def mask_for(self, x):
        if x.shape not in self.masks:
            draws = torch.empty(x.numel() // 4 + 1, dtype=torch.int64).random_(-(2**63), None)
            numbers = draws.view(torch.int16)[: x.numel()].view(x.shape)
            self.masks[x.shape] = numbers >= 65536 * self.p - 32768
        return self.masks[x.shape]

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        if self.p == 1.0:
            return torch.zeros_like(x) * x
        return x * self.mask_for(x).to(x.dtype) / (1 - self.p)
