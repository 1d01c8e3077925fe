# %% wrong: one-reshape | Reshapes (N, T, D) straight to (N, H, T, d_k) and never swaps the axes of words and heads: reshape keeps the order of memory, so a head gets the whole first words, not its own features of all words.
def split_heads(x, num_heads):
    n, t, d = x.shape
    assert d % num_heads == 0
    return x.reshape(n, num_heads, t, d // num_heads)

# %% wrong: features-dealt-out | The last axis is cut as (d_k, H) where it should be (H, d_k): the features are dealt out to the heads one by one like cards (head h gets features h, h + H, ...), but the first head must hold the first d_k of them.
def split_heads(x, num_heads):
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, d_k, num_heads)
    heads = cut.permute(0, 3, 1, 2)
    return heads

# %% wrong: heads-in-the-batch | Folds the heads into the batch axis, as d2l does for its bmm: the result has three axes, (N * H, T, d_k), where the text asks for four, (N, H, T, d_k), with the heads on an axis of their own.
def split_heads(x, num_heads):
    x = x.reshape(x.shape[0], x.shape[1], num_heads, -1)
    x = x.permute(0, 2, 1, 3)
    return x.reshape(-1, x.shape[2], x.shape[3])

# %% wrong: time-first | Takes x to be time first, (T, N, D), as fairseq does, and cuts its memory as (T, N * H, d_k). x is (N, T, D), batch first, so with more than one sentence the words of different sentences are mixed up.
def split_heads(x, num_heads):
    bsz, tgt_len, embed_dim = x.shape
    head_dim = embed_dim // num_heads
    q = x.contiguous().view(tgt_len, bsz * num_heads, head_dim)
    q = q.transpose(0, 1)
    return q.reshape(bsz, num_heads, tgt_len, head_dim)

# %% wrong: chunk-for-split | Confuses chunk with split: chunk(d_k) makes d_k pieces, while pieces of d_k features each (H of them) are needed. So there are d_k heads of H features, which is right only where H and d_k are equal.
def split_heads(x, num_heads):
    d_k = x.size(-1) // num_heads
    pieces = x.chunk(d_k, dim=-1)
    return torch.stack(pieces, dim=1)

# %% right: stacked-pieces
def split_heads(x, num_heads):
    pieces = x.split(x.size(-1) // num_heads, dim=-1)
    return torch.stack(pieces, dim=1)

# %% right: unflattened
def split_heads(x, num_heads):
    d_k = x.shape[-1] // num_heads
    return x.unflatten(-1, (num_heads, d_k)).movedim(2, 1)
