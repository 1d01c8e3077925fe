# %% wrong: view-twice | Takes view for a swap of axes: the second view only relabels the shape to (N, H, T, d_k) without moving numbers, so a head gets whole words instead of its own features of all words. transpose(1, 2) is needed.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.reshape(batch, length, num_heads, d_k)
    heads = cut.reshape(batch, num_heads, length, d_k)
    return heads

# %% wrong: features-before-heads | Cuts the features into (d_k, H) instead of (H, d_k), so each head gets every H-th feature (0, H, 2H, ...) instead of neighbors; the text says that the first head holds the first d_k features.
def split_heads(x, num_heads):
    n, t, d = x.shape
    size = d // num_heads
    pieces = x.unflatten(2, (size, num_heads))
    return pieces.permute(0, 3, 1, 2)

# %% wrong: d2l-heads-in-batch | Folds heads into the batch axis, as d2l's transpose_qkv does for bmm, and returns (N * H, T, d_k); the contract is four axes, (N, H, T, d_k), with the heads on an axis of their own.
def split_heads(x, num_heads):
    output = x.reshape(x.shape[0], x.shape[1], num_heads, -1)
    output = output.permute(0, 2, 1, 3)
    return output.reshape(-1, output.shape[2], output.shape[3])

# %% wrong: fairseq-time-first | Uses fairseq's view(T, N * H, d_k).transpose(0, 1), which is made for time-first input (T, N, D); here x is batch-first, so with more than one sentence the view mixes words of different sentences into one head.
def split_heads(x, num_heads):
    bsz, tgt_len, embed_dim = x.size()
    head_dim = embed_dim // num_heads
    q = x.contiguous().view(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    return q.view(bsz, num_heads, tgt_len, head_dim)

# %% wrong: split-takes-a-size | Misuses torch.split: its argument is the size of a piece, not the number of pieces (that is chunk), so there are d_k pieces of H features each, and the result is (N, d_k, T, H).
def split_heads(x, num_heads):
    pieces = x.split(num_heads, dim=-1)
    heads = torch.stack(pieces, dim=1)
    return heads

# %% right: chunk-and-stack
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)

# %% right: hf-permute
def split_heads(x, num_heads):
    head_size = x.size(-1) // num_heads
    new_shape = x.size()[:-1] + (num_heads, head_size)
    return x.view(new_shape).permute(0, 2, 1, 3)
