# %% wrong: divided_by_the_rate | TRUE CAUSE: The position is divided by the rate instead of multiplied: later pairs turn faster, not slower.
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x, (..., T, d_k), by its position times a rate.

    x holds queries or keys; features 2i and 2i + 1 are a pair (Su et al. 2021).
    """
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place / rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned


# %% wrong: turned_backwards | TRUE CAUSE: The signs are those of a rotation by the negative angle.
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


# %% wrong: turned_first_used_again | TRUE CAUSE: The second feature is computed from the first one already turned, not from the original.
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


# %% wrong: sine_and_cosine_swapped | TRUE CAUSE: Sine and cosine are swapped in the second feature: first * cos + second * sin.
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
    turned_second = first * angle.cos() + second * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned


# %% wrong: halves_as_pairs | TRUE CAUSE: Pairs feature i with feature i + d_k / 2 (the two halves) instead of neighbours 2i and 2i + 1.
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    cos, sin = torch.cos(place * rate), torch.sin(place * rate)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


# %% wrong: features_not_interleaved | TRUE CAUSE: The turned features are put one half after the other (cat) instead of back beside each other (stack and flatten).
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device)[:, None]
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    return torch.cat([turned_first, turned_second], dim=-1)


# %% wrong: written_into_x | TRUE CAUSE: Writes the turned features into x itself: `first` and `second` are views of x, so the caller's tensor changes and the second line already uses the turned first feature.
def apply_rotary(x, base=10000.0):
    """Rotate each pair of features of x by its position times a rate."""
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    x[..., 0::2] = first * torch.cos(angle) - second * torch.sin(angle)
    x[..., 1::2] = first * torch.sin(angle) + second * torch.cos(angle)
    return x


# %% wrong: from_one_with_i | TRUE CAUSE: two mistakes: positions are counted from 1, so position 0 is turned, and the exponent of the rate is i / d_k instead of 2i / d_k.
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(1, length + 1, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(d_k // 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
