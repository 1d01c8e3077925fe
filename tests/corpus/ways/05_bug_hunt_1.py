# %% right: empty_like_and_slices
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = torch.empty_like(encoding)
    moved[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    return moved


# %% right: small_rotation_matrices
def shift(encoding, rate, steps):
    turn = steps * rate
    c, s = turn.cos(), turn.sin()
    matrix = torch.stack([torch.stack([c, s], -1), torch.stack([-s, c], -1)], -2)  # (D / 2, 2, 2)
    pairs = encoding.unflatten(1, (-1, 2))  # (T, D / 2, 2)
    return torch.einsum("pij,tpj->tpi", matrix, pairs).flatten(1)


# %% right: own_complex_hands
def shift(encoding, rate, steps):
    turn = rate * steps
    # the cosine is the width of a hand, the sine its height
    hand = torch.complex(encoding[:, 1::2].contiguous(), encoding[:, 0::2].contiguous())
    hand = hand * torch.complex(turn.cos(), turn.sin())
    return torch.stack((hand.imag, hand.real), dim=-1).flatten(1)

# %% right: own_rotation_matrices
def shift(encoding, rate, steps):
    b = steps * rate
    c, s = b.cos(), b.sin()
    matrices = torch.stack([torch.stack([c, s], -1), torch.stack([-s, c], -1)], -2)  # (D/2, 2, 2)
    pairs = encoding.reshape(len(encoding), -1, 1, 2)
    return (matrices * pairs).sum(-1).reshape(encoding.shape)


# %% right: tenth_own_complex_hands
def shift(encoding, rate, steps):
    turn = steps * rate
    hands = torch.complex(encoding[:, 1::2], encoding[:, 0::2])  # cosine + i sine
    moved = hands * torch.complex(turn.cos(), turn.sin())
    return torch.stack([moved.imag, moved.real], dim=-1).flatten(1)
# %% right: tenth_own_matrix_for_each_pair
def shift(encoding, rate, steps):
    c, s = torch.cos(rate * steps), torch.sin(rate * steps)
    turn = torch.stack([torch.stack([c, s], -1), torch.stack([-s, c], -1)], -2)  # (D / 2, 2, 2)
    pairs = encoding.unflatten(1, (-1, 2))  # (T, D / 2, 2)
    return torch.einsum("tpj,pij->tpi", pairs, turn).reshape(encoding.shape)


# %% right: eleventh_own_complex_hands
def shift(encoding, rate, steps):
    hands = torch.complex(encoding[:, 1::2].contiguous(), encoding[:, 0::2].contiguous())
    angle = steps * rate
    turned = hands * torch.complex(angle.cos(), angle.sin())
    return torch.stack((turned.imag, turned.real), dim=2).flatten(start_dim=1)

# %% right: eleventh_own_matrices_with_einsum
def shift(encoding, rate, steps):
    """Each pair (sine, cosine) times its own 2 x 2 matrix."""
    c, s = torch.cos(steps * rate), torch.sin(steps * rate)
    turn = torch.stack([torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)], dim=-2)
    pairs = encoding.unflatten(1, (-1, 2))  # (T, D / 2, 2)
    return torch.einsum("pij,tpj->tpi", turn, pairs).reshape(encoding.shape)


# %% right: twelfth_own_complex_product
def shift(encoding, rate, steps):
    turn = steps * rate
    hand = torch.complex(encoding[:, 1::2].contiguous(), encoding[:, 0::2].contiguous())
    hand = hand * torch.polar(torch.ones_like(turn), turn)
    return torch.stack([hand.imag, hand.real], dim=2).flatten(1)

# %% right: twelfth_own_rotation_matrices
def shift(encoding, rate, steps):
    c, s = torch.cos(steps * rate), torch.sin(steps * rate)
    rotation = torch.stack([torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)], dim=-2)
    pairs = encoding.unflatten(1, (-1, 2))
    moved = (rotation * pairs.unsqueeze(-2)).sum(dim=-1)
    return moved.flatten(1)
