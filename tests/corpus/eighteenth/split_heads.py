# %% wrong: one-reshape | x is reshaped in one go to (N, H, T, d_k) and the axes are never swapped: view/reshape keep the order in memory, so head 0 gets the first T/H words with all their features instead of all words with its own features. A cut to (N, T, H, d_k) and then a transpose of axes 1 and 2 is needed.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    shape = (batch, num_heads, length, d_k)
    heads = torch.reshape(x, shape)
    return heads

# %% wrong: key-layout | The permutation is (0, 2, 3, 1), the layout in which GPT-1 and GPT-2 code keeps its keys for the product: the result is (N, H, d_k, T), features before words, instead of (N, H, T, d_k). The last two axes are swapped.
def split_heads(x, num_heads):
    new_shape = x.size()[:-1] + (num_heads, x.size(-1) // num_heads)
    x = x.view(*new_shape)
    return x.permute(0, 2, 3, 1)

# %% wrong: interleaved-features | The features are cut as (d_k, H) instead of (H, d_k), so head h gets every H-th feature (h, h + H, h + 2H, ...) and not a contiguous block; the docstring says that the first head holds the first d_k features.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    pieces = [x[:, :, head::num_heads] for head in range(num_heads)]
    heads = torch.stack(pieces, dim=1)
    assert heads.shape == (batch, num_heads, length, d_k)
    return heads

# %% wrong: time-first-view | The trick of fairseq, view(T, N * H, d_k).transpose(0, 1), is for time-first input (T, N, D). Here x is batch first, so the view mixes up sentences and words as soon as N > 1 (and T > 1); the shape is right, and only a batch of one comes out right.
def split_heads(x, num_heads):
    bsz, tgt_len, embed_dim = x.size()
    head_dim = embed_dim // num_heads
    q = x.contiguous().view(tgt_len, bsz * num_heads, head_dim).transpose(0, 1)
    return q.view(bsz, num_heads, tgt_len, head_dim)

# %% wrong: split-size | Tensor.split takes the size of each piece, not the number of pieces: split(num_heads) makes d_k pieces of H features each, so the result is (N, d_k, T, H), with the right shape only where H happens to equal d_k. It should be split(d_k) (or chunk(num_heads)).
def split_heads(x, num_heads):
    pieces = x.split(num_heads, dim=-1)
    heads = torch.stack(pieces, dim=1)
    return heads

# %% right: chunks-stacked
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)

# %% right: index-table
def split_heads(x, num_heads):
    d_model = x.size(-1)
    columns = torch.arange(d_model, device=x.device).view(num_heads, d_model // num_heads)
    return x[..., columns].transpose(1, 2)
