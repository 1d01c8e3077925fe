# %% wrong: straight-view | A single view to (N, H, T, d_k) keeps the order of memory, so a head gets whole words instead of its share of every word's features; the swap of words and heads (transpose) is missing.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)
    return heads

# %% wrong: features-dealt-in-turn | The last axis is cut as (d_k, H) instead of (H, d_k), so the features are dealt out in turn: head h gets the features h, h + H, h + 2H ... and not a block of d_k neighboring ones.
def split_heads(x, num_heads):
    n, t, d = x.size()
    x = x.view(n, t, d // num_heads, num_heads)
    return x.permute(0, 3, 1, 2)

# %% wrong: heads-folded-into-batch | As in d2l's transpose_qkv, the heads are folded into the batch axis at the end: the result is (N * H, T, d_k) with three axes, not (N, H, T, d_k).
def split_heads(x, num_heads):
    x = x.reshape(x.shape[0], x.shape[1], num_heads, -1)
    x = x.permute(0, 2, 1, 3)
    return x.reshape(-1, x.shape[2], x.shape[3])

# %% wrong: split-takes-a-size | torch.split takes the size of a piece, not the number of pieces: num_heads is given as the size, so there are D / H heads of H features each (right only if H and d_k are equal).
def split_heads(x, num_heads):
    pieces = torch.split(x, num_heads, dim=-1)
    heads = torch.stack(pieces, dim=1)
    return heads

# %% wrong: heads-in-front | The pieces are stacked along a new axis 0, so the result is (H, N, T, d_k): heads before sentences, where (N, H, T, d_k) is asked for.
def split_heads(x, num_heads):
    x_ = torch.stack(torch.chunk(x, num_heads, dim=2), dim=0)
    return x_

# %% wrong: float32-buffer | The heads are copied into a torch.zeros of the default dtype (float32), so a float64 input comes back as float32 (and integers as floats): the buffer does not take its dtype from x.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    heads = torch.zeros(batch, num_heads, length, d_k)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * d_k : (h + 1) * d_k]
    return heads

# %% wrong: short-slices-and-no-swap | Two mistakes. The end of a slice is taken as if it were included, so each head loses its last feature (d_k - 1 are left); and the heads are stacked on axis 2, which gives (N, T, H, ...) instead of heads before words.
def split_heads(x, num_heads):
    d_k = x.shape[-1] // num_heads
    heads = []
    for h in range(num_heads):
        first = h * d_k
        last = first + d_k - 1
        heads.append(x[:, :, first:last])
    return torch.stack(heads, dim=2)

# %% right: nanogpt-line
def split_heads(x, num_heads):
    B, T, C = x.size()
    return x.view(B, T, num_heads, C // num_heads).transpose(1, 2)

# %% right: chunks-stacked
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
