# %% wrong: rotate-half | As in Hugging Face's Llama, feature i is paired with feature i + d_k / 2 (rotate_half), and not features 2i and 2i + 1.
def apply_rotary(x, start=0, base=10000.0):
    def rotate_half(x):
        x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
        return torch.cat((-x2, x1), dim=-1)
    length, d_k = x.shape[-2:]
    inv_freq = 1.0 / (base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    t = torch.arange(start, start + length, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()

# %% wrong: heads-for-positions | As in Meta's code, where x is (N, T, H, d_k): the length is taken from axis 1. Here the heads are already before the positions, (..., T, d_k), so the angle follows the head (or there is no axis 1, or the shapes do not fit).
def apply_rotary(x, start=0, base=10000.0):
    d_k = x.shape[-1]
    end = start + x.shape[1]
    freqs = 1.0 / (base ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    t = torch.arange(start, end, device=x.device)
    freqs = torch.outer(t, freqs).float()
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    shape = [d if i == 1 or i == x_.ndim - 1 else 1 for i, d in enumerate(x_.shape)]
    x_out = torch.view_as_real(x_ * freqs_cis.view(*shape)).flatten(-2)
    return x_out.type_as(x)

# %% wrong: rates-and-start | Two mistakes: start is ignored, positions always count from 0; and the exponent is -i / d_k with i = 0, 1, 2, ... instead of -2i / d_k: the rates of the pairs fall only half as fast as they should.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device)
    rate = base ** (-torch.arange(d_k // 2, device=x.device) / d_k)
    angle = torch.einsum("t,i->ti", place.float(), rate)
    pairs = x.unflatten(-1, (-1, 2))
    a, b = pairs.unbind(dim=-1)
    turned = (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos())
    return torch.stack(turned, dim=-1).flatten(-2)

# %% wrong: the-other-way-round | The signs of both sines are exchanged, so each pair is rotated by minus its angle. (The scores among rotated vectors are the same, but the result is not the rotation of the formula.)
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() + second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2)
    return turned

# %% right: two-by-two-matrices
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device)
    theta = 1.0 / base ** (torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.outer(place, theta)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    rotation = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    pairs = x.reshape(*x.shape[:-1], d_k // 2, 2)
    turned = torch.einsum("tiab,...tib->...tia", rotation, pairs)
    return turned.reshape(x.shape)
