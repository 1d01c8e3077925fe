# %% wrong: diagonal_left_out | tril(diagonal=-1) leaves out the diagonal: no position may see itself, and the first one sees nothing at all.
def causal_mask(size, device=None):
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(diagonal=-1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
# %% wrong: square_of_floats | torch.ones makes float32 numbers if no dtype is given: the mask holds 1.0 and 0.0 and is not boolean, so ~ and masked_fill cannot use it.
def causal_mask(size, device=None):
    square = torch.ones(size, size, device=device)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
# %% wrong: own_rows_and_columns_mixed_up | Rows and columns are mixed up in the comparison: query <= key is True on and above the diagonal, so each position sees itself and the future instead of the past.
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    query, key = place.reshape(-1, 1), place.reshape(1, -1)
    return (query <= key)[None, None]
# %% wrong: own_device_not_used | The argument device is never used: the positions, and with them the mask, are always made on the CPU.
def causal_mask(size, device=None):
    place = torch.arange(size)
    rows = [place <= query for query in range(size)]
    return torch.stack(rows).view(1, 1, size, size)
