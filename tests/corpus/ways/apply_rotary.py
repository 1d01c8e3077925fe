# %% right: own_rotate_pairs
def rotate_pairs(v):
    pairs = v.unflatten(-1, (-1, 2))
    a, b = pairs.unbind(dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)
def apply_rotary(x, start=0, base=10000.0):
    T, d_k = x.shape[-2:]
    theta = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    freqs = torch.outer(torch.arange(start, start + T, device=x.device).float(), theta)
    emb = freqs.repeat_interleave(2, dim=-1).to(x.dtype)
    return x * emb.cos() + rotate_pairs(x) * emb.sin()
# %% right: own_matrices
def apply_rotary(x, start=0, base=10000.0):
    T, d = x.shape[-2:]
    m = torch.arange(start, start + T, device=x.device, dtype=x.dtype)
    i = torch.arange(d // 2, device=x.device, dtype=x.dtype)
    ang = m[:, None] * base ** (-2 * i / d)
    c, s = ang.cos(), ang.sin()
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (T, d/2, 2, 2)
    pairs = x.reshape(*x.shape[:-1], d // 2, 2)
    return torch.einsum("tpij,...tpj->...tpi", R, pairs).reshape(x.shape)
# %% right: thirteenth_own_points_and_quarter_turns
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    options = {"device": x.device, "dtype": torch.promote_types(x.dtype, torch.float32)}
    exponent = -2 * torch.arange(d_k // 2, **options) / d_k
    angle = torch.outer(torch.arange(start, start + length, **options), base**exponent)
    angle = angle.unsqueeze(-1)  # (T, d_k / 2, 1), for both features of a pair
    points = x.unflatten(-1, (d_k // 2, 2))  # (..., T, d_k / 2, 2)
    quarter = torch.stack([-points[..., 1], points[..., 0]], dim=-1)  # turned by 90 degrees
    turned = points * angle.cos() + quarter * angle.sin()
    return turned.flatten(-2).to(x.dtype)
# %% right: tenth_own_complex
def apply_rotary(x, start=0, base=10000.0):
    *_, T, d = x.shape
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    theta = torch.tensor([base ** (-2 * i / d) for i in range(d // 2)], device=x.device)
    angles = torch.arange(start, start + T, device=x.device)[:, None] * theta
    turn = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * turn).reshape(x.shape)
# %% right: tenth_own_loop_over_pairs
def apply_rotary(x, start=0, base=10000.0):
    T, d_k = x.shape[-2:]
    m = torch.arange(start, start + T, device=x.device, dtype=torch.float32)
    columns = []
    for i in range(0, d_k, 2):
        alpha = m * base ** (-i / d_k)
        c, s = alpha.cos(), alpha.sin()
        a, b = x[..., i], x[..., i + 1]
        columns += [a * c - b * s, a * s + b * c]
    return torch.stack(columns, dim=-1)
# %% right: field_inverse_frequencies_and_cached_angles
def apply_rotary(x, start=0, base=10000.0):
    dim = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device).float() / dim))
    t = torch.arange(start, start + x.shape[-2], device=x.device, dtype=inv_freq.dtype)
    freqs = torch.einsum("i,j->ij", t, inv_freq).repeat_interleave(2, dim=-1)
    x1, x2 = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
    rotated = torch.stack((-x2, x1), dim=-1).flatten(-2)
    return (x * freqs.cos() + rotated * freqs.sin()).type_as(x)
# %% right: field_complex_numbers
def apply_rotary(x, start=0, base=10000.0):
    dim = x.shape[-1]
    freqs = 1.0 / (base ** (torch.arange(0, dim, 2)[: dim // 2].to(x.device).float() / dim))
    t = torch.arange(start, start + x.shape[-2], device=x.device)
    angles = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)
# %% right: field_cosines_and_sines_in_one_table
def apply_rotary(x, start=0, base=10000.0):
    seq_len, n_elem = x.shape[-2:]
    freqs = 1.0 / (base ** (torch.arange(0, n_elem, 2, device=x.device).float() / n_elem))
    idx_theta = torch.outer(torch.arange(start, start + seq_len, device=x.device), freqs)
    cache = torch.stack([torch.cos(idx_theta), torch.sin(idx_theta)], dim=-1)  # (T, d_k / 2, 2)
    xs = x.float().reshape(*x.shape[:-1], -1, 2)
    out = torch.stack(
        [
            xs[..., 0] * cache[..., 0] - xs[..., 1] * cache[..., 1],
            xs[..., 1] * cache[..., 0] + xs[..., 0] * cache[..., 1],
        ],
        -1,
    )
    return out.flatten(-2).type_as(x)
