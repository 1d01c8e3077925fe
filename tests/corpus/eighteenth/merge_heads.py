# %% wrong: no-swap-back | The axes are not swapped back before joining: (N, H, T, d_k) is reshaped to (N, T, D) directly, and reshape keeps the order that it sees, so the rows hold pieces of several words of one head instead of all heads of one word.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.reshape(batch, length, num_heads, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)
    return merged

# %% wrong: heads-last | The heads are moved behind the features, (N, T, d_k, H), before the last two axes are joined, so the features of the heads come out interleaved (feature 0 of all heads, then feature 1 of all heads) instead of head by head; it should be (N, T, H, d_k).
def merge_heads(x):
    x = x.permute(0, 2, 3, 1).contiguous()
    new_shape = x.size()[:-2] + (x.size(-2) * x.size(-1),)
    return x.view(*new_shape)

# %% wrong: cat-along-words | The heads are concatenated along the word axis (dim=1, after which there are H * T rows of d_k) and the result is then forced into (N, T, D) by a reshape; Concat has to go along the last axis, the features. A row now holds several words of one head.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    results = [x[:, head] for head in range(num_heads)]
    together = torch.cat(results, dim=1)
    return together.reshape(batch, length, num_heads * d_k)

# %% wrong: time-first-result | The code merges the way fairseq does, in a time-first layout, and never goes back to batch first: the result is (T, N, D), where the lesson wants (N, T, D).
def merge_heads(x):
    bsz, num_heads, tgt_len, head_dim = x.size()
    attn = x.reshape(bsz * num_heads, tgt_len, head_dim)
    attn = attn.transpose(0, 1).contiguous().view(tgt_len, bsz, num_heads * head_dim)
    return attn

# %% wrong: squeezed | squeeze() without an axis, meant to clear away what is left of the head axis, removes every axis of size 1, so a batch of one sentence, a sentence of one word or a single feature loses an axis; a part has to work for every size, 1 included.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    merged = x.new_empty(batch, length, 0)
    for head in x.unbind(dim=1):
        merged = torch.cat([merged, head], dim=-1)
    return merged.squeeze()

# %% right: unbind-cat
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
