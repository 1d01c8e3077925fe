# %% right: complex_numbers
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    x = x.to(torch.promote_types(x.dtype, torch.float32))
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = (place * rate).to(x.dtype)
    points = torch.complex(x[..., 0::2].contiguous(), x[..., 1::2].contiguous())
    turned = points * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2)

# %% right: neighbors_swapped
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = (place * rate).repeat_interleave(2, dim=-1)  # (T, d_k)
    pairs = x.unflatten(-1, (d_k // 2, 2))
    swapped = torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1).flatten(-2)
    return x * angle.cos() + swapped * angle.sin()


# %% right: own_rotate_pairs
def rotate_pairs(v):
    pairs = v.unflatten(-1, (-1, 2))
    a, b = pairs.unbind(dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


def apply_rotary(x, base=10000.0):
    T, d_k = x.shape[-2:]
    theta = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    freqs = torch.outer(torch.arange(T, device=x.device).float(), theta)
    emb = freqs.repeat_interleave(2, dim=-1).to(x.dtype)
    return x * emb.cos() + rotate_pairs(x) * emb.sin()

# %% right: own_matrices
def apply_rotary(x, base=10000.0):
    T, d = x.shape[-2:]
    m = torch.arange(T, device=x.device, dtype=x.dtype)
    i = torch.arange(d // 2, device=x.device, dtype=x.dtype)
    ang = m[:, None] * base ** (-2 * i / d)
    c, s = ang.cos(), ang.sin()
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (T, d/2, 2, 2)
    pairs = x.reshape(*x.shape[:-1], d // 2, 2)
    return torch.einsum("tpij,...tpj->...tpi", R, pairs).reshape(x.shape)
