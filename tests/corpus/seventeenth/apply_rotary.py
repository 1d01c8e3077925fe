# %% wrong: turned-the-other-way | Mixes up the signs of the two sines, so each pair is rotated by minus the angle. Scores depend on the distance all the same, but the result is not the rotation by the position's angle that the formula gives.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() + second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2).type_as(x)
    return turned

# %% wrong: second-from-the-turned-first | Computes the second feature from the first one after that was turned, since the name is overwritten. Both need the features as they were before.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    cos, sin = (place * rate).cos(), (place * rate).sin()
    a, b = x.unflatten(-1, (d_k // 2, 2)).unbind(-1)
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.stack([a, b], dim=-1).flatten(-2).type_as(x)

# %% wrong: start-ignored | Counts the positions from 0 in every call and does not use start, so a token that is read with a cache is turned as if it stood at the beginning.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    positions = torch.arange(length, device=x.device, dtype=torch.float32)
    rates = torch.exp(-math.log(base) * torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.einsum("t,i->ti", positions, rates)
    even, odd = x[..., ::2], x[..., 1::2]
    pairs = (even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos())
    return torch.stack(pairs, dim=-1).reshape(x.shape).type_as(x)

# %% wrong: meta-layout | Takes axis 1 for the positions, as in Meta's code, where x is (N, T, H, d_k) and is rotated before heads and words are swapped. Here the positions are axis -2, (..., T, d_k), so every head is turned by its number and all words alike.
def apply_rotary(x, start=0, base=10000.0):
    def precompute(dim, end):
        freqs = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device)[: dim // 2].float() / dim))
        t = torch.arange(start, start + end, device=x.device)
        return torch.outer(t, freqs)
    seq_axis = 1 if x.dim() == 4 else x.dim() - 2
    angle = precompute(x.shape[-1], x.shape[seq_axis])
    shape = [d if i in (seq_axis, x.dim() - 1) else 1 for i, d in enumerate(x.shape)]
    shape[-1] = x.shape[-1] // 2
    angle = angle.view(*shape)
    a, b = x[..., 0::2], x[..., 1::2]
    out = torch.stack([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)
    return out.flatten(-2).type_as(x)

# %% wrong: exponent-without-the-two | Gives pair i the rate base ** (-i / d_k) where it is base ** (-2i / d_k): the exponents count pairs, and the 2 is lost, so the rates fall only half as far.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    pairs = torch.arange(d_k // 2, device=x.device)
    rate = torch.pow(torch.tensor(base, device=x.device), -pairs / d_k)
    angle = torch.outer(torch.arange(start, start + length, device=x.device), rate)
    cos, sin = torch.cos(angle), torch.sin(angle)
    rotation = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    dtype = torch.promote_types(x.dtype, rotation.dtype)
    points, rotation = x.unflatten(-1, (-1, 2)).to(dtype), rotation.to(dtype)
    return torch.einsum("tpij,...tpj->...tpi", rotation, points).flatten(-2).type_as(x)

# %% wrong: angles-in-16-bits | Converts the positions to the dtype of x before they are multiplied. In bfloat16 positions such as 500 and 501 become the same number, so the angles need float32 even where x has 16 bits.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).to(x.dtype)
    rate = (base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)).to(x.dtype)
    angle = place[:, None] * rate[None, :]
    first, second = x[..., 0::2], x[..., 1::2]
    cos, sin = angle.cos(), angle.sin()
    turned = [first * cos - second * sin, first * sin + second * cos]
    return torch.stack(turned, dim=-1).flatten(-2)

# %% wrong: two-from-one-and-fixed-base | Two mistakes. Counts positions from 1, so that position 0 is turned as well, though it has to stay as it is; and writes 10000 into the rates instead of base.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    m = torch.arange(start + 1, start + length + 1, device=x.device).view(-1, 1)
    theta = 10000.0 ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    sin, cos = torch.sin(m * theta), torch.cos(m * theta)
    a, b = x[..., 0::2], x[..., 1::2]
    out = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
    return out.reshape(x.shape).type_as(x)

# %% wrong: remembered-table | Keeps the table of angles of the first call and uses it again whenever it is long and wide enough, without asking for which base it was made: later calls with another base get the old rates.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    table = getattr(apply_rotary, "table", None)
    if table is None or len(table) < start + length or table.size(1) != d_k // 2:
        rate = base ** (-torch.arange(0, d_k, 2) / d_k)
        table = torch.arange(max(start + length, 256)).unsqueeze(1) * rate
        apply_rotary.table = table
    angle = table[start : start + length].to(x.device)
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2).type_as(x)

# %% right: interleaved-cosines
def apply_rotary(x, start=0, base=10000.0):
    def rotate_every_two(x):
        return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    length, d_k = x.shape[-2:]
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.arange(start, start + length, device=x.device)[:, None] * rate
    cos, sin = (part.repeat_interleave(2, dim=-1) for part in (angle.cos(), angle.sin()))
    return (x * cos + rotate_every_two(x) * sin).type_as(x)

# %% right: small-matrices
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.outer(place, rate)
    cos, sin = angle.cos(), angle.sin()
    rotation = torch.stack([cos, -sin, sin, cos], dim=-1).unflatten(-1, (2, 2))
    dtype = torch.promote_types(x.dtype, rotation.dtype)
    points = x.unflatten(-1, (-1, 2, 1)).to(dtype)
    return (rotation.to(dtype) @ points).flatten(-3).type_as(x)
