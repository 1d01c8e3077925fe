# %% wrong: second_turned_back | TRUE CAUSE: the second feature of a pair is b cos - a sin, with a minus as in the first line, so the pair is not rotated: its length changes and distances no longer decide the score
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
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: one_rate_for_all | TRUE CAUSE: every pair is turned at the first rate, 1, instead of at a rate of its own (only the by-hand example has one theta)
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = (place * rate[0]).expand(length, d_k // 2)  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% wrong: second_made_of_the_turned_first | TRUE CAUSE: the name first is overwritten by the turned feature before the second one is computed from it
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    cos, sin = torch.cos(place * rate), torch.sin(place * rate)  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]
    first = first * cos - second * sin
    second = first * sin + second * cos
    return torch.stack([first, second], dim=-1).flatten(-2)

# %% wrong: exponent_halved | TRUE CAUSE: the rate of pair i is base to the -i / d_k: the exponent counts the pairs, i, instead of the features, 2i, so all pairs but the first turn too fast
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device)
    pair = torch.arange(d_k // 2, device=x.device)
    rate = base ** (-pair / d_k)
    angle = torch.outer(place, rate)  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.empty_like(x)
    turned[..., 0::2] = first * angle.cos() - second * angle.sin()
    turned[..., 1::2] = first * angle.sin() + second * angle.cos()
    return turned

