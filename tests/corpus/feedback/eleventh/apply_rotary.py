# %% wrong: second_from_the_turned_first | TRUE CAUSE: turned_second is computed from turned_first instead of the old first, so the pairs are not rotated and their lengths change
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = turned_first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
# %% wrong: positions_from_one | TRUE CAUSE: the angle is (place + 1) * rate, so the positions count from 1 and position 0 is rotated by one step instead of staying as it is
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = (place + 1) * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * torch.cos(angle) - second * torch.sin(angle)
    turned_second = first * torch.sin(angle) + second * torch.cos(angle)
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
# %% wrong: own_pairs_of_halves | TRUE CAUSE: feature i is paired with feature i + d_k / 2 (the halves, as in Llama's code) instead of 2i with 2i + 1, so other features are rotated together for d_k > 2
def apply_rotary(x, base=10000.0):
    t, d = x.shape[-2], x.shape[-1]
    theta = base ** (-torch.arange(0, d, 2, device=x.device) / d)
    angle = torch.outer(torch.arange(t, device=x.device, dtype=theta.dtype), theta)
    cos, sin = torch.cat([angle.cos()] * 2, dim=-1), torch.cat([angle.sin()] * 2, dim=-1)
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-b, a], dim=-1) * sin
# %% wrong: own_complex_with_half_the_exponent | TRUE CAUSE: the rates are base ** (-i / d_k) instead of base ** (-2i / d_k), so all pairs but the first turn too fast
def apply_rotary(x, base=10000.0):
    *front, steps, width = x.shape
    pairs = torch.view_as_complex(x.reshape(*front, steps, width // 2, 2))
    i = torch.arange(width // 2, device=x.device)
    angles = torch.arange(steps, device=x.device)[:, None] * base ** (-i / width)
    spin = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * spin).flatten(-2)
