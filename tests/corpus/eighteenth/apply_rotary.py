# %% wrong: halves-as-pairs | As in Hugging Face's rotate_half, feature i is paired with feature i + d_k / 2, where the lesson pairs the neighbors 2i and 2i + 1. Scores of queries and keys that are both turned so still depend on distance alone, but with the same weights the numbers are others.
def apply_rotary(x, start=0, base=10000.0):
    length, dim = x.shape[-2:]
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device).float() / dim))
    position_ids = torch.arange(start, start + length, device=x.device).float()
    freqs = torch.outer(position_ids, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    def rotate_half(t):
        t1, t2 = t[..., : dim // 2], t[..., dim // 2 :]
        return torch.cat((-t2, t1), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).type_as(x)

# %% wrong: uses-the-turned-first | The second feature is computed from the first one AFTER that was overwritten with its turned value, instead of from the original a: b' = a' sin + b cos is no rotation (lengths change). Both have to be made of the old a and b.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    angle = place * base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    cos, sin = angle.cos(), angle.sin()
    a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.stack([a, b], dim=-1).flatten(-2).type_as(x)

# %% wrong: half-the-exponent | The exponent of the rate is -i / d_k for pair i (i = 0, 1, ..., d_k / 2 - 1) instead of -2i / d_k: the rates fall only half as fast on the logarithmic scale, and all pairs but the first turn too quickly.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    pair = torch.arange(d_k // 2, device=x.device)
    rate = torch.exp(-math.log(base) * pair / d_k)
    place = torch.arange(start, start + length, device=x.device)
    angle = torch.einsum("t,i->ti", place.float(), rate)
    turn = torch.stack(
        [
            torch.stack([angle.cos(), -angle.sin()], dim=-1),
            torch.stack([angle.sin(), angle.cos()], dim=-1),
        ],
        dim=-2,
    ).to(x.dtype)
    points = x.unflatten(-1, (d_k // 2, 2)).unsqueeze(-1)
    return (turn @ points).squeeze(-1).flatten(-2)

# %% wrong: angles-in-16-bits | Positions, rates and angles are made in the dtype of x. In float32 nothing is wrong, but for x in bfloat16 the positions themselves are rounded (500 and 501 become one), so far positions are turned by wrong angles; the angles need float32 even where x has 16 bits.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    like = {"device": x.device, "dtype": x.dtype}
    place = torch.arange(start, start + length, **like)
    rate = base ** (-torch.arange(0, d_k, 2, **like) / d_k)
    angle = place[:, None] * rate
    cos = angle.cos().repeat_interleave(2, dim=-1)
    sin = angle.sin().repeat_interleave(2, dim=-1)
    swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * cos + swapped * sin

# %% wrong: positions-on-axis-0 | The positions are counted along axis 0, as in labml's code, whose x is (seq_len, batch, heads, d). Here x is (..., T, d_k), so with more than two axes every sentence of the batch is turned by its own number and all words of it alike; only a plain (T, d_k) comes out right.
def apply_rotary(x, start=0, base=10000.0):
    seq_len, d = x.shape[0], x.shape[-1]
    theta = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).float() / d))
    seq_idx = torch.arange(start, start + seq_len, device=x.device).float()
    idx_theta = torch.einsum("n,d->nd", seq_idx, theta)
    idx_theta = idx_theta.view(seq_len, *[1] * (x.dim() - 2), d // 2)
    cos, sin = idx_theta.cos(), idx_theta.sin()
    even, odd = x[..., ::2], x[..., 1::2]
    pairs = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return pairs.flatten(-2).type_as(x)

# %% wrong: backwards-from-0 | Two mistakes. The signs of the sines are exchanged (a cos + b sin, b cos - a sin), so each pair is turned by minus its angle; and `start` is not used, so the first of x is always taken to stand at position 0, whatever was read before it.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    freqs = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device) / d_k)
    t = torch.arange(length, device=x.device)
    freqs = torch.outer(t, freqs)
    cos, sin = freqs.cos(), freqs.sin()
    x1, x2 = x[..., 0::2], x[..., 1::2]
    out = torch.stack([x1 * cos + x2 * sin, x2 * cos - x1 * sin], dim=-1)
    return out.flatten(-2).type_as(x)

# %% right: complex-numbers
def apply_rotary(x, start=0, base=10000.0):
    dim, end = x.shape[-1], start + x.shape[-2]
    freqs = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device).float() / dim))
    t = torch.arange(end, device=x.device, dtype=torch.float32)[start:]
    freqs = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    wide = x if x.dtype == torch.float64 else x.float()
    x_ = torch.view_as_complex(wide.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)

# %% right: rotate-every-two
def apply_rotary(x, start=0, base=10000.0):
    def rotate_every_two(t):
        return torch.stack((-t[..., 1::2], t[..., ::2]), dim=-1).flatten(-2)
    length, dim = x.shape[-2:]
    inv_freq = base ** -(torch.arange(0, dim, 2, device=x.device) / dim)
    sinusoid = torch.einsum("i,j->ij", torch.arange(start, start + length, device=x.device).float(), inv_freq)
    sin, cos = (part.repeat_interleave(2, dim=1) for part in (sinusoid.sin(), sinusoid.cos()))
    return ((x * cos) + (rotate_every_two(x) * sin)).to(x.dtype)
