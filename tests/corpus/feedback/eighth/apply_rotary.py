# %% wrong: turns_backwards | TRUE CAUSE: the signs of the two sines are exchanged, so each pair is rotated by the negative angle
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


# %% wrong: pairs_of_halves | TRUE CAUSE: pairs feature i with feature i + d_k / 2, as much published code does, instead of the neighbors 2i and 2i + 1
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate
    cos, sin = angle.cos(), angle.sin()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


# %% wrong: first_overwritten | TRUE CAUSE: the turned first feature overwrites the old one before the second is computed from it
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    first = first * cos - second * sin
    second = first * sin + second * cos
    return torch.stack([first, second], dim=-1).flatten(-2)
