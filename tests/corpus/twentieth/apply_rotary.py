# %% wrong: turned-backward | Has the signs of the two sines exchanged, so each pair is rotated by minus its angle: distances still count alike, but (1, 0) at position 1 becomes (0.54, -0.84) instead of (0.54, 0.84).
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(start, start + length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = place * rate
    first, second = x[..., 0::2], x[..., 1::2]
    turned_first = first * angle.cos() + second * angle.sin()
    turned_second = second * angle.cos() - first * angle.sin()
    turned = torch.stack([turned_first, turned_second], dim=-1).flatten(-2).type_as(x)
    return turned

# %% wrong: hf-rotate-half | Pairs feature i with feature i + d_k / 2, as Hugging Face's rotate_half does for its reordered weights; here features 2i and 2i + 1 are a pair.
def apply_rotary(x, start=0, base=10000.0):
    seq_len, dim = x.shape[-2:]
    inv_freq = 1.0 / base ** (torch.arange(0, dim, 2, device=x.device).float() / dim)
    position_ids = torch.arange(start, start + seq_len, device=x.device).float()
    freqs = torch.outer(position_ids, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    def rotate_half(t):
        t1, t2 = t[..., : dim // 2], t[..., dim // 2 :]
        return torch.cat((-t2, t1), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).type_as(x)

# %% wrong: first-already-turned | Overwrites the first feature with its turned value and then uses that for the second: both have to be computed from the old pair, so the second feature is wrong.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    place = start + torch.arange(length, device=x.device)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = torch.outer(place.float(), rate)
    cos, sin = angle.cos(), angle.sin()
    a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)
    a = a * cos - b * sin
    b = a * sin + b * cos
    return torch.stack((a, b), dim=-1).flatten(-2).to(x.dtype)

# %% wrong: angles-in-the-dtype-of-x | Computes positions, rates and angles in the dtype of x: where that has 16 bits, positions such as 500 and 501 become one, and the angles are wrong; they still need float32.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    options = {"dtype": x.dtype, "device": x.device}
    place = torch.arange(start, start + length, device=x.device).to(**options)
    rate = torch.pow(base, -torch.arange(0, d_k, 2, **options) / d_k)
    angle = place[:, None] * rate[None, :]
    even, odd = x[..., ::2], x[..., 1::2]
    pairs = (even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos())
    return torch.stack(pairs, dim=-1).reshape(x.shape)

# %% wrong: exponent-doubled | Takes the number of the feature (0, 2, 4, ...), which is 2i already, and multiplies it by 2 once more in the exponent -2i / d_k: all rates but the first are too small.
def apply_rotary(x, start=0, base=10000.0):
    length, d_k = x.shape[-2:]
    steps = torch.arange(start, start + length, device=x.device).float()
    columns = []
    for feature in range(0, d_k, 2):
        theta = base ** (-2 * feature / d_k)
        cosine, sine = torch.cos(theta * steps), torch.sin(theta * steps)
        a, b = x[..., feature], x[..., feature + 1]
        columns += [a * cosine - b * sine, a * sine + b * cosine]
    return torch.stack(columns, dim=-1).type_as(x)

# %% wrong: llama-start-and-dtype | Two mistakes. Always takes the first angles of the table and ignores start, so a new token with a cache stands at position 0; and leaves the result in float32, although it has to have the dtype of x.
def apply_rotary(x, start=0, base=10000.0):
    seqlen, dim = x.shape[-2:]
    freqs = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device)[: dim // 2].float() / dim))
    t = torch.arange(start + seqlen, device=x.device).float()
    freqs = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)[:seqlen]
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    x_out = torch.view_as_real(x_ * freqs_cis).flatten(-2)
    return x_out

# %% right: complex-numbers
def apply_rotary(x, start=0, base=10000.0):
    seqlen, dim = x.shape[-2:]
    wide = x if x.dtype == torch.float64 else x.float()
    freqs = base ** (-torch.arange(0, dim, 2, device=x.device, dtype=wide.dtype) / dim)
    t = torch.arange(start, start + seqlen, device=x.device, dtype=wide.dtype)
    angle = torch.outer(t, freqs)
    freqs_cis = torch.polar(torch.ones_like(angle), angle)
    x_ = torch.complex(wide[..., 0::2].contiguous(), wide[..., 1::2].contiguous())
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)

# %% right: gptj-rotate-every-two
def apply_rotary(x, start=0, base=10000.0):
    def rotate_every_two(t):
        return torch.stack((-t[..., 1::2], t[..., ::2]), dim=-1).flatten(-2)
    length, dim = x.shape[-2:]
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, device=x.device) / dim))
    positions = torch.arange(length, device=x.device) + start
    sinusoid = torch.einsum("i,j->ij", positions.float(), inv_freq).repeat_interleave(2, dim=-1)
    return (x * sinusoid.cos() + rotate_every_two(x) * sinusoid.sin()).to(x.dtype)
