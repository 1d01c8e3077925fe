# %% wrong: turned_the_other_way | TRUE CAUSE: the signs of the two sine terms are exchanged (a cos + b sin, b cos - a sin), so each pair is rotated by minus the angle, clockwise, instead of by the angle.
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

# %% wrong: second_from_the_turned_first | TRUE CAUSE: turned_second is computed from turned_first, the already rotated first feature, instead of from first, so the second feature of each pair is wrong (and lengths change) at all positions but 0.
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = rate * place  # (T, d_k / 2)
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * cos - second * sin
    turned_second = turned_first * sin + second * cos
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: own_rotate_half | TRUE CAUSE: feature i is paired with feature i + d_k/2 (the halves of the vector), as in other implementations, instead of features 2i and 2i + 1, so for d_k > 2 other pairs are rotated.
def rotate_half(x):
    left, right = x.chunk(2, dim=-1)
    return torch.cat([-right, left], dim=-1)


def apply_rotary(x, base=10000.0):
    T, d = x.size(-2), x.size(-1)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device).float() / d)
    freqs = torch.outer(torch.arange(T, device=x.device).float(), inv_freq)
    emb = torch.cat([freqs, freqs], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()

# %% wrong: own_complex_with_half_the_exponent | TRUE CAUSE: the rates use the pair's number i (0, 1, 2, ...) divided by d_k as the exponent instead of 2i / d_k, so all pairs but the first turn too fast (only d_k = 2 is right).
def apply_rotary(x, base=10000.0):
    *_, T, d = x.shape
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    theta = torch.tensor([base ** (-i / d) for i in range(d // 2)], device=x.device)
    angles = torch.arange(T, device=x.device)[:, None] * theta
    turn = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * turn).reshape(x.shape)
