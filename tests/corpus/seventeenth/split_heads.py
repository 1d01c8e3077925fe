# %% wrong: one-view | Believes that a single view to (N, H, T, d_k) cuts the features into heads. view keeps the order of memory, so head 0 gets the first words with all of their features; words and heads have to be swapped after a cut to (N, T, H, d_k).
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)
    heads = cut.view(batch, num_heads, length, d_k)
    return heads

# %% wrong: interleaved-permute | Cuts the last axis into (d_k, H) instead of (H, d_k), so each head gets every H-th feature instead of a block of neighboring ones (the first head should hold the first d_k features).
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    pieces = x.reshape(batch, length, d_model // num_heads, num_heads)
    return pieces.permute(0, 3, 1, 2)

# %% wrong: d2l-heads-into-batch | Follows the design that folds heads into the batch axis and returns (N * H, T, d_k), where the contract wants an axis of its own for the heads, (N, H, T, d_k).
def split_heads(x, num_heads):
    out = x.reshape(x.shape[0], x.shape[1], num_heads, -1)
    out = out.permute(0, 2, 1, 3)
    return out.reshape(-1, out.shape[2], out.shape[3])

# %% wrong: key-layout | Returns the layout that keys have ready for the product, (N, H, d_k, T): the last two axes are swapped, although every head should be words by features.
def split_heads(x, num_heads):
    new_shape = x.size()[:-1] + (num_heads, x.size(-1) // num_heads)
    x = x.view(*new_shape)
    return x.permute(0, 2, 3, 1)

# %% wrong: fairseq-time-first | Uses the time-first recipe, a view to (T, N * H, d_k) and a transpose of the first two axes, on an x that is batch-first (N, T, D). The sizes fit, but words of different sentences are mixed as soon as N is more than 1.
def split_heads(x, num_heads):
    bsz, tgt_len, embed_dim = x.shape
    head_dim = embed_dim // num_heads
    q = x.contiguous().view(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    return q.view(bsz, num_heads, tgt_len, head_dim)

# %% wrong: swap-then-cut | Swaps words and features first and then reshapes (N, D, T) to (N, H, T, d_k), believing that reshape would put T and d_k in their places. reshape swaps no axes: the cut has to be (N, H, d_k, T), and then T and d_k still need a swap.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    features_first = x.transpose(1, 2)
    d_k = d_model // num_heads
    return features_first.reshape(batch, num_heads, length, d_k)

# %% wrong: two-strided-and-stacked-late | Two mistakes. A head takes every H-th feature (slices with a step of H) instead of d_k neighboring ones, and the heads are stacked on axis 2, (N, T, H, d_k), so words and heads are not swapped.
def split_heads(x, num_heads):
    per_head = []
    for head in range(num_heads):
        per_head.append(x[:, :, head::num_heads])
    return torch.stack(per_head, dim=2)

# %% right: chunk-and-stack
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)

# %% right: unflatten-einsum
def split_heads(x, num_heads):
    cut = x.unflatten(-1, (num_heads, x.size(-1) // num_heads))
    return torch.einsum("nthk->nhtk", cut)
