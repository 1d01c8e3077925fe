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


# %% right: tenth_own_complex
def apply_rotary(x, base=10000.0):
    *_, T, d = x.shape
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    theta = torch.tensor([base ** (-2 * i / d) for i in range(d // 2)], device=x.device)
    angles = torch.arange(T, device=x.device)[:, None] * theta
    turn = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * turn).reshape(x.shape)

# %% right: tenth_own_loop_over_pairs
def apply_rotary(x, base=10000.0):
    T, d_k = x.shape[-2:]
    m = torch.arange(T, device=x.device, dtype=torch.float32)
    columns = []
    for i in range(0, d_k, 2):
        alpha = m * base ** (-i / d_k)
        c, s = alpha.cos(), alpha.sin()
        a, b = x[..., i], x[..., i + 1]
        columns += [a * c - b * s, a * s + b * c]
    return torch.stack(columns, dim=-1)


# %% right: eleventh_own_complex_numbers
def apply_rotary(x, base=10000.0):
    *front, steps, width = x.shape
    pairs = torch.view_as_complex(x.reshape(*front, steps, width // 2, 2).contiguous())
    i = torch.arange(width // 2, device=x.device)
    angles = torch.arange(steps, device=x.device)[:, None] * base ** (-2 * i / width)
    spin = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * spin).flatten(-2)
# %% right: eleventh_own_swapped_neighbours
def apply_rotary(x, base=10000.0):
    t, d = x.shape[-2:]
    theta = torch.tensor(
        [base ** (-(j - j % 2) / d) for j in range(d)], dtype=x.dtype, device=x.device
    )
    angle = torch.einsum("t,d->td", torch.arange(t, device=x.device).to(x.dtype), theta)
    partner = torch.empty_like(x)
    partner[..., 0::2] = -x[..., 1::2]
    partner[..., 1::2] = x[..., 0::2]
    return x * angle.cos() + partner * angle.sin()


# %% right: twelfth_own_interleaved_angles
def apply_rotary(x, base=10000.0):
    t, d = x.shape[-2:]
    theta = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    alpha = torch.outer(torch.arange(t, device=x.device).to(theta.dtype), theta)
    alpha = alpha.repeat_interleave(2, dim=-1)
    partner = x.unflatten(-1, (-1, 2)).flip(-1)
    partner = torch.stack([-partner[..., 0], partner[..., 1]], dim=-1).flatten(-2)
    return x * alpha.cos() + partner * alpha.sin()
# %% right: twelfth_own_rotation_matrices
def apply_rotary(x, base=10000.0):
    length, size = x.shape[-2:]
    columns = []
    place = torch.arange(length, device=x.device)
    for i in range(0, size, 2):
        angle = place * base ** (-i / size)
        a, b = x[..., i], x[..., i + 1]
        columns += [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(columns, dim=-1)
