# %% wrong: turned_backwards | TRUE CAUSE: the sines have the opposite signs in both sums, so each pair is rotated by minus its angle
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
# %% wrong: rate_divided_twice_by_two | TRUE CAUSE: the rate line was changed to count pairs i without the factor 2, so the exponent is -i/d_k instead of -2i/d_k and all pairs but the first turn too fast
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(d_k // 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * torch.cos(angle) - second * torch.sin(angle)
    turned_second = first * torch.sin(angle) + second * torch.cos(angle)
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
# %% wrong: own_pairs_from_two_halves | TRUE CAUSE: feature i is paired with feature i + d_k/2 (rotate_half, chunks) instead of 2i with 2i + 1, so other features are rotated together for d_k above 2
def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


def apply_rotary(x, base=10000.0):
    t, d = x.shape[-2], x.shape[-1]
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device).float() / d)
    freqs = torch.outer(torch.arange(t, device=x.device).float(), inv_freq)
    emb = torch.cat([freqs, freqs], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()
# %% wrong: own_second_from_turned_first | TRUE CAUSE: a and b are views of the result, which is written in place, so the second feature is computed from the already turned first one
def apply_rotary(x, base=10000.0):
    out = x.clone()
    T, d_k = x.shape[-2:]
    theta = torch.tensor([base ** (-2 * i / d_k) for i in range(d_k // 2)], device=x.device)
    alpha = torch.einsum("t,i->ti", torch.arange(T, device=x.device).to(theta.dtype), theta)
    cos, sin = alpha.cos(), alpha.sin()
    a, b = out[..., ::2], out[..., 1::2]
    out[..., ::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out
