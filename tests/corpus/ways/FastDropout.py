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
