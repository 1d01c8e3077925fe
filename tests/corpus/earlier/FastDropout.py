# %% wrong: own_mask_in_float32 | The bool mask is divided by a Python float, which gives float32, and the product with a float16 or bfloat16 x is float32, too: the result does not have the dtype of x.
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
    def keeps(self, shape):
        count = math.prod(shape)
        draws = torch.empty(-(-count // 4), dtype=torch.int64).random_(-(2**63), None)
        numbers = draws.view(torch.int16)[:count].reshape(shape)
        limit = 65536.0 * self.p - 32768.0
        return numbers >= limit
    def forward(self, x):
        if self.training and self.p > 0.0:
            if x.device.type != "cpu":
                return F.dropout(x, self.p)
            keep_share = max(1.0 - self.p, 2**-16)
            x = x * (self.keeps(x.shape) / keep_share)
        return x
# %% wrong: own_zeroes_the_input | works in place on a view of x (x.view(-1)) under no_grad instead of on a new tensor: the caller's tensor itself is changed, and the gradient does not know of the dropout
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
# %% wrong: own_four_share_one | only the first of the four numbers of each draw is used and repeated for four elements, so four neighbours are always dropped or kept together and not each by itself
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
# %% wrong: own_63_bits | random_() without a range draws int64 from 0 upward, its top bit is always 0, so every fourth 16-bit number is never negative and these elements are dropped less often (never for p <= 0.5)
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
        self.limit = int(round(dropout.p * 65536)) - 32768
    def forward(self, x):
        if self.p == 0 or not self.training:
            return x
        if x.is_cuda:
            return F.dropout(x, self.p, True)
        n = x.numel()
        bits = torch.empty((n + 3) // 4, dtype=torch.long).random_()
        noise = bits.view(torch.int16)[:n].reshape(x.shape).to(torch.int32)
        if self.p == 1:
            return x * 0.0
        return torch.where(noise >= self.limit, x / (1 - self.p), torch.zeros_like(x))
# %% wrong: own_neighbours_share_a_draw | One 16-bit number is drawn for each group of four elements and repeated for all four, so neighbouring positions are dropped together instead of each by itself.
class FastDropout(nn.Module):
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
