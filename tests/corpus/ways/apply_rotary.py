# %% right: complex_numbers
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    x = x.to(torch.promote_types(x.dtype, torch.float32))
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = (place * rate).to(x.dtype)
    points = torch.complex(x[..., 0::2].contiguous(), x[..., 1::2].contiguous())
    turned = points * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2)

# %% right: neighbors_swapped
def apply_rotary(x, base=10000.0):
    length, d_k = x.shape[-2:]
    place = torch.arange(length, device=x.device).unsqueeze(1)
    rate = base ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angle = (place * rate).repeat_interleave(2, dim=-1)  # (T, d_k)
    pairs = x.unflatten(-1, (d_k // 2, 2))
    swapped = torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1).flatten(-2)
    return x * angle.cos() + swapped * angle.sin()
