# %% wrong: positions_from_one | The angle is (place + 1) * rate: positions are counted from 1, so that position 0 is turned, too. It should stay as it is.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = (place + 1) * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = first * angle.sin() + second * angle.cos()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
# %% wrong: second_with_the_wrong_sign | turned_second is second * cos - first * sin, the formula of a rotation backward, while turned_first turns forward. Together that is no rotation: lengths change.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)  # (T, 1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)  # (d_k / 2,)
    angle = place * rate  # (T, d_k / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., T, d_k / 2)
    turned_first = first * angle.cos() - second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned
# %% wrong: own_halves_as_pairs | Feature i is paired with feature i + d_k / 2 (the two halves), as some libraries do. In the notebook the pairs are neighbors, 2i and 2i + 1.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.size(-2), x.size(-1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.outer(torch.arange(start, start + length, device=x.device).to(rate.dtype), rate)
    cos, sin = angle.cos(), angle.sin()
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
# %% wrong: own_exponent_without_the_two | The exponent is -i / d_k for pair i instead of -2i / d_k: torch.arange(d_k // 2) counts the pairs, and the factor 2 is missing. The slow pairs turn far too fast.
def apply_rotary(x, start=0, base=10000.0):
    *_, length, d_k = x.shape
    pair = torch.arange(d_k // 2, device=x.device)
    theta = 1.0 / base ** (pair / d_k)
    angle = torch.einsum("t,p->tp", torch.arange(start, start + length, device=x.device).to(theta.dtype), theta)
    pairs = x.unflatten(-1, (d_k // 2, 2))
    turned = torch.empty_like(pairs)
    turned[..., 0] = pairs[..., 0] * angle.cos() - pairs[..., 1] * angle.sin()
    turned[..., 1] = pairs[..., 0] * angle.sin() + pairs[..., 1] * angle.cos()
    return turned.flatten(-2)
