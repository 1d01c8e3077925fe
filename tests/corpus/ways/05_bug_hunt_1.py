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
