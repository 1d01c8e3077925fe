# %% wrong: reshape-alone | Leaves out the swap of heads and words and joins with reshape alone, believing that reshape sorts it out since it never complains. It keeps the order that one sees, so the words of a head stand where the heads of a word should.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)
    return merged

# %% wrong: contiguous-too-early | Calls contiguous before the transpose instead of after it. The transpose makes the tensor non-contiguous again, so view refuses (RuntimeError) at nearly every size.
def merge_heads(x):
    B, nh, T, hs = x.size()
    y = x.contiguous().transpose(1, 2).view(B, T, nh * hs)
    return y

# %% wrong: cat-along-words | Concatenates the heads along the axis of words instead of along the features, and then forces the shape (N, T, D) with a view, so features of different words come to stand in one word.
def merge_heads(x):
    batch, _, length, _ = x.shape
    all_heads = torch.cat(x.unbind(dim=1), dim=1)
    return all_heads.view(batch, length, -1)

# %% wrong: flatten-words-and-heads | Joins the wrong two axes after the swap: flatten(1, 2) joins words and heads to (N, T * H, d_k), where heads and d_k, the last two, should become D.
def merge_heads(x):
    words_first = torch.einsum("nhtk->nthk", x)
    return words_first.flatten(1, 2)

# %% wrong: fairseq-time-first-result | Merges as in time-first code and returns (T, N, D), although the contract wants the batch first, (N, T, D).
def merge_heads(x):
    bsz, heads, tgt_len, head_dim = x.shape
    attn = x.reshape(bsz * heads, tgt_len, head_dim)
    attn = attn.transpose(0, 1).contiguous().view(tgt_len, bsz, heads * head_dim)
    return attn

# %% wrong: two-wrong-swap-and-sum | Two mistakes. Swaps the last two axes instead of heads and words, and adds the heads up (sum over axis 1) where they should be laid side by side, so (N, d_k, T) comes out.
def merge_heads(x):
    swapped = x.transpose(2, 3)
    merged = swapped.sum(dim=1)
    return merged

# %% right: cat-of-heads
def merge_heads(x):
    return torch.cat([x[:, head] for head in range(x.size(1))], dim=-1)

# %% right: nanogpt-way
def merge_heads(x):
    B, nh, T, hs = x.size()
    return x.transpose(1, 2).contiguous().view(B, T, nh * hs)
