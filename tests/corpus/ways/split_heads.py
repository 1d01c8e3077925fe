# %% right: chunk_and_stack
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


# %% right: swap_first_unflatten
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.transpose(1, 2).reshape(batch, num_heads, d_k, length)  # (N, H, d_k, T)
    heads = cut.transpose(2, 3)  # (N, H, T, d_k)
    return heads


# %% right: own_stack_of_pieces
def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    size = x.shape[-1] // num_heads
    pieces = [x[..., h * size : (h + 1) * size] for h in range(num_heads)]
    return torch.stack(pieces, dim=1)

# %% right: own_unflatten_movedim
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).movedim(-2, 1)


# %% right: tenth_own_stack_of_splits
def split_heads(x, num_heads):
    size = x.shape[-1] // num_heads
    return torch.stack(x.split(size, dim=-1), dim=1)

# %% right: tenth_own_gather_columns
def split_heads(x, num_heads):
    d = x.size(-1)
    columns = torch.arange(d, device=x.device).view(num_heads, d // num_heads)
    picked = x[:, :, columns]  # (N, T, H, d_k)
    return torch.einsum("nthk->nhtk", picked)


# %% right: eleventh_own_chunk_and_stack
def split_heads(x, num_heads):
    pieces = x.chunk(num_heads, dim=-1)
    return torch.stack(pieces, dim=1)

# %% right: eleventh_own_slices_per_head
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    out = x.new_empty(n, num_heads, t, size)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * size : (h + 1) * size]
    return out


# %% right: twelfth_own_stack_of_chunks
def split_heads(x, num_heads):
    size = x.shape[-1] // num_heads
    return torch.stack([x[..., h * size : (h + 1) * size] for h in range(num_heads)], dim=1)
# %% right: twelfth_own_unflatten_permute
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).permute(0, 2, 1, 3)
