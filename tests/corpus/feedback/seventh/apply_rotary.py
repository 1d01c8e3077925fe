# %% wrong: second_from_the_turned_first | TRUE CAUSE: the second feature is computed from turned_first, which is rotated already, where the formula needs the original first
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


# %% wrong: halves_not_pairs_in_the_result | TRUE CAUSE: the rotated features are put one half behind the other with cat, not back in their pairs 2i and 2i + 1, so all features but the outermost change places, even at position 0
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


# %% wrong: two_i_doubled | TRUE CAUSE: the rate has the factor 2 of -2i / d_k twice, since the arange in steps of 2 is already 2i; all rates but the first are too small
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-2 * torch.arange(0, d_k, 2, device=x.device) / d_k)  # base^(-2i / d_k)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * torch.cos(angle) - second * torch.sin(angle)
    turned_second = first * torch.sin(angle) + second * torch.cos(angle)
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
