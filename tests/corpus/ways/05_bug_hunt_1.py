# %% right: twelfth_own_rotation_matrices
def shift(encoding, rate, steps):
    c, s = torch.cos(steps * rate), torch.sin(steps * rate)
    rotation = torch.stack([torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)], dim=-2)
    pairs = encoding.unflatten(1, (-1, 2))
    moved = (rotation * pairs.unsqueeze(-2)).sum(dim=-1)
    return moved.flatten(1)
# %% right: thirteenth_own_partner_beside
def shift(encoding, rate, steps):
    turn = (steps * rate).unsqueeze(-1)  # (D / 2, 1)
    pairs = encoding.unflatten(1, (-1, 2))  # (T, D / 2, 2)
    partner = torch.stack([pairs[..., 1], -pairs[..., 0]], dim=-1)
    return (pairs * turn.cos() + partner * turn.sin()).flatten(1)
# %% right: fourteenth_own_a_small_matrix_for_each_pair
def shift(encoding, rate, steps):
    turn = steps * rate
    pairs = encoding.unflatten(1, (-1, 2)).unsqueeze(-2)  # (T, D / 2, 1, 2): sine, cosine
    to_sine = torch.stack([turn.cos(), turn.sin()], dim=-1)
    to_cosine = torch.stack([-turn.sin(), turn.cos()], dim=-1)
    turning = torch.stack([to_sine, to_cosine], dim=-2)  # (D / 2, 2, 2)
    return (turning * pairs).sum(dim=-1).flatten(1)  # (T, D)
