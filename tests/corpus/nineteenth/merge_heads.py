# %% wrong: no-swap-back | Joins the axes with one reshape and doesn't swap words and heads back first: reshape keeps the order that is there, head by head, so a row of the result mixes several words of one head instead of one word of all heads.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    d_model = num_heads * d_k
    merged = x.reshape(batch, length, d_model)
    return merged

# %% wrong: heads-innermost | Puts the heads on the last axis, (N, T, d_k, H), before joining, so the features of all heads are interleaved (feature 0 of every head, then feature 1, ...), where the heads should lie side by side. It is not the inverse of split_heads.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.permute(0, 2, 3, 1)
    merged = side_by_side.flatten(2)
    return merged

# %% wrong: view-after-swap | Calls view on the swapped tensor, which is no longer contiguous, so view refuses with a RuntimeError; it needs contiguous() first, or reshape.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)
    merged = side_by_side.view(batch, length, num_heads * d_k)
    return merged

# %% wrong: last-two-swapped | Swaps the last two axes (words and features, as for the transposed keys in attention) where words and heads, axes 1 and 2, have to be swapped; the shape comes out right, the numbers in it are in the wrong places.
def merge_heads(x):
    n, h, t, d_k = x.size()
    x = x.transpose(-2, -1).contiguous()
    return x.view(n, t, h * d_k)

# %% wrong: time-first-result | Returns the merged heads time first, (T, N, D), as fairseq and torch's own module do inside, but the text asks for (N, T, D), batch first.
def merge_heads(x):
    bsz, num_heads, tgt_len, head_dim = x.shape
    attn = x.permute(2, 0, 1, 3)
    return attn.reshape(tgt_len, bsz, num_heads * head_dim)

# %% right: concatenated
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
