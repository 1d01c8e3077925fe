# %% wrong: moves_the_numbers | The numbers are moved to 0 .. 65535 by adding 2**15, and the limit left at p * 2**16. But they are int16: what is larger than 32767 begins again at -32768, so far too much is dropped. The limit has to be moved instead.
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
        kept = numbers + 2**15 >= self.p * 2**16
        scale = kept.to(x.dtype) / max(1.0 - self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale
# %% wrong: divides_by_p | What is kept is divided by p, the share that is dropped, where it has to be divided by 1 - p, the share that is kept. (With p = 0.5 nobody notices.)
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
        kept = numbers >= self.p * 2**16 - 2**15
        scale = kept.to(x.dtype) / max(self.p, 2**-16)  # with p = 1 nothing is kept
        return x * scale
# %% wrong: own_one_row_for_all | Random numbers are drawn for the last axis only and broadcast, so all positions and sentences drop the same features. Dropout decides for each number by itself.
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
    def numbers(self, count):
        draws = torch.empty((count + 3) // 4, dtype=torch.int64).random_(-(2**63), None)
        return draws.view(torch.int16)[:count]
    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        limit = float(round(self.p * 2**16) - 2**15)
        dropped = self.numbers(x.size(-1)) < limit  # (D,)
        return (x / max(1.0 - self.p, 2**-16)).masked_fill(dropped, 0.0)
# %% wrong: own_factor_in_float32 | The factor is always made with .float(), so for x in a 16-bit dtype the product is promoted to float32. The result should have the dtype of x.
class FastDropout(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout.p
    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        if x.device.type != "cpu":
            return F.dropout(x, self.p)
        count = x.numel()
        bits = torch.empty(count // 4 + 1, dtype=torch.int64)
        bits.random_(-(2**63), None)
        cut = bits.view(torch.int16)[:count].reshape(x.shape)
        keep_rate = max(1.0 - self.p, 2.0**-16)
        factor = (cut >= self.p * 65536.0 - 32768.0).float() / keep_rate
        return x * factor
