# %% wrong: halves-paired | Pairs feature i with feature i + d_k / 2, as Hugging Face's rotate_half does, where the text pairs neighbors, features 2i and 2i + 1.
def apply_rotary(x, start=0, base=10000.0):
    def rotate_half(x):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat((-x2, x1), dim=-1)
    length, d_k = x.shape[-2:]
    position = torch.arange(start, start + length, device=x.device).float()
    inv_freq = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    freqs = torch.outer(position, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).type_as(x)

# %% wrong: turned-backwards | The signs of the sines are changed round, so each pair is rotated by minus its angle; scores among such vectors are right, but (1, 0) at position 1 becomes (0.54, -0.84) where the text has (0.54, 0.84).
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() + second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2).type_as(x)
    return turned

# %% wrong: angles-in-16-bits | Computes the positions, rates and angles in the dtype of x; where that has 16 bits, neighboring positions such as 500 and 501 become the same number, so the angles need float32, and only the result gets the dtype of x.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    options = {"device": x.device, "dtype": x.dtype}
    t = torch.arange(start, start + length, device=x.device).to(x.dtype)
    inv_freq = base ** (-torch.arange(0, d_k, 2, **options) / d_k)
    freqs = torch.einsum("i,j->ij", t, inv_freq)
    cos, sin = freqs.cos(), freqs.sin()
    even, odd = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)

# %% wrong: overwritten-first | Computes the second of each pair from the first that has been turned already, where both have to be computed from the old pair, so this is no rotation.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    cos, sin = torch.cos(place * rate), torch.sin(place * rate)
    a, b = x[..., 0::2], x[..., 1::2]
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.stack([a, b], dim=-1).flatten(start_dim=-2).type_as(x)

# %% wrong: heads-for-positions | Takes axis 1 for the positions, as in Meta's Llama, whose heads are not swapped to the front, (N, T, H, d_k); here x is (..., T, d_k), so with four axes the head's number is used for the position, and all positions of a head are turned alike.
def apply_rotary(x, start=0, base=10000.0):
    ndim, d_k = x.dim(), x.size(-1)
    seq = 1 if ndim > 2 else 0
    freqs = 1.0 / (base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    t = torch.arange(start, start + x.size(seq), device=x.device)
    freqs = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    shape = [n if i in (seq, ndim - 1) else 1 for i, n in enumerate(x.shape)]
    freqs_cis = freqs_cis.view(*shape[:-1], d_k // 2)
    wide = x if x.dtype == torch.float64 else x.float()
    x_ = torch.complex(wide[..., 0::2], wide[..., 1::2])
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)

# %% wrong: half-exponents | The exponent of the base is -i / d_k for pair i, where it is -2i / d_k: the pairs are counted by one and not by the number of their first feature, so all rates but the first are too fast.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    pairs = d_k // 2
    turned = []
    place = torch.arange(start, start + length, device=x.device)
    for i in range(pairs):
        angle = place * base ** (-i / d_k)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]  # (..., T)
        turned.append(a * angle.cos() - b * angle.sin())
        turned.append(a * angle.sin() + b * angle.cos())
    return torch.stack(turned, dim=-1).type_as(x)

# %% right: small-matrices
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    wide = x if x.dtype == torch.float64 else x.float()
    place = torch.arange(start, start + length, device=x.device, dtype=torch.float64)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    cos, sin = (wave(torch.outer(place, rate)).to(wide.dtype) for wave in (torch.cos, torch.sin))
    turn = torch.stack([cos, -sin, sin, cos], dim=-1).unflatten(-1, (2, 2))  # (T, d_k / 2, 2, 2)
    pairs = wide.unflatten(-1, (d_k // 2, 2))
    return torch.einsum("tpij,...tpj->...tpi", turn, pairs).flatten(-2).type_as(x)

# %% right: cos-x-plus-sin-turned
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = start + torch.arange(length, device=x.device).unsqueeze(-1)
    rate = torch.exp(-math.log(base) * torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = (place * rate).repeat_interleave(2, dim=-1)  # (T, d_k)
    quarter = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return (x * angle.cos() + quarter * angle.sin()).to(x.dtype)
