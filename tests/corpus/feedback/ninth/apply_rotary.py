# %% wrong: turned_backwards | TRUE CAUSE: the signs of the two sine terms are exchanged between turned_first and turned_second, so each pair is rotated by minus the angle
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() + second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: two_i_doubled | TRUE CAUSE: arange(0, d_k, 2) already holds 2i but is multiplied by 2 once more in the exponent of rate, so every pair but the first turns at the rate base ** (-4i / d_k)
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-2 * torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * torch.cos(angle) - second * torch.sin(angle)
    turned_second = first * torch.sin(angle) + second * torch.cos(angle)
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: own_view_overwritten | TRUE CAUSE: a and b are views of out, so when the even features are written, a changes with them, and the odd features are computed from the already rotated a instead of the original one
def apply_rotary(x, base=10000.0):
    T, d = x.shape[-2], x.shape[-1]
    i = torch.arange(d // 2, device=x.device, dtype=x.dtype)
    theta = torch.pow(base, -2 * i / d)
    m = torch.arange(T, device=x.device, dtype=x.dtype)
    ang = torch.outer(m, theta)
    cos, sin = ang.cos(), ang.sin()
    out = x.clone()
    a = out[..., 0::2]
    b = out[..., 1::2]
    out[..., 0::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out

# %% wrong: own_halves_as_pairs | TRUE CAUSE: the rotate-half helper pairs feature i with feature i + d_k / 2, instead of 2i with 2i + 1, so other features are rotated together and at other rates
def rotate_half(v):
    left, right = v.chunk(2, dim=-1)
    return torch.cat([-right, left], dim=-1)


def apply_rotary(x, base=10000.0):
    T, d_k = x.shape[-2:]
    theta = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    freqs = torch.einsum("t,f->tf", torch.arange(T, device=x.device).float(), theta)
    emb = torch.cat([freqs, freqs], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()
