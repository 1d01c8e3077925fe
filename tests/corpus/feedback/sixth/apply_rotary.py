# %% wrong: second_from_the_turned_first | TRUE CAUSE: the second feature is computed from the first one after it was turned, not from the original first feature
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


# %% wrong: positions_from_one | TRUE CAUSE: positions are counted from 1: position 0 is turned by one rate instead of staying as it is (scores depend on distances only, so they look right)
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


# %% wrong: pairs_of_two_halves | TRUE CAUSE: the pairs are feature i of the first half with feature i of the second half, and the halves are put side by side again, instead of the neighbors 2i and 2i + 1
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    cos, sin = angle.cos(), angle.sin()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
