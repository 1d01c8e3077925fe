# %% wrong: positions_from_one | TRUE CAUSE: positions are counted from 1, so position 0 is turned, too
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = (place + 1) * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: turned_backwards | TRUE CAUSE: the signs of the sines are exchanged: each pair is turned by minus the angle. Scores still depend on distance alone, but it is not the rotation asked for
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

# %% wrong: already_turned_first | TRUE CAUSE: the second feature is made from the first one that was turned already, not from the first as it was
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

# %% wrong: halves_for_pairs | TRUE CAUSE: pairs feature i with feature i + d_k / 2 (the first half with the second), not 2i with 2i + 1
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    cos, sin = angle.cos(), angle.sin()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)

# %% wrong: not_interleaved_again | TRUE CAUSE: the turned features are put one half behind the other, not back to their places 2i and 2i + 1
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * torch.cos(angle) - second * torch.sin(angle)
    turned_second = first * torch.sin(angle) + second * torch.cos(angle)
    return torch.cat([turned_first, turned_second], dim=-1)

# %% wrong: changes_x_in_place | TRUE CAUSE: writes the result into x itself, so the caller's queries are changed (the first features are copied first, so the numbers are right)
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = first * angle.cos() - second * angle.sin()
    x[..., 1::2] = first * angle.sin() + second * angle.cos()
    return x

# %% wrong: rates_too_slow_and_base_fixed | TRUE CAUSE: two mistakes: the exponent is -i / d_k in place of -2i / d_k, and base is always 10000
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    position = torch.arange(length, device=x.device)
    i = torch.arange(d_k // 2, device=x.device)
    angle = torch.outer(position, 10000.0 ** (-i / d_k))  # (T, d_k / 2)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = torch.empty_like(x)
    turned[..., 0::2] = a * angle.cos() - b * angle.sin()
    turned[..., 1::2] = a * angle.sin() + b * angle.cos()
    return turned
