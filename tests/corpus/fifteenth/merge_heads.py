# %% wrong: contiguous-thrown-away | contiguous() returns a new tensor and changes nothing in place; its result is thrown away, so view is called on the swapped, non-contiguous tensor and raises a RuntimeError.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)
    side_by_side.contiguous()
    merged = side_by_side.view(batch, length, num_heads * d_k)
    return merged

# %% wrong: reshape-does-the-swap | It is believed that reshape also moves the axes: heads and words are never swapped back, so the shape is right but the numbers of different words are mixed.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    return x.reshape(batch, length, -1)

# %% wrong: features-before-heads | The axes are permuted to (N, T, d_k, H) instead of (N, T, H, d_k), so after the join the features of the heads alternate instead of lying head by head, side by side.
def merge_heads(x):
    bs, h, seq, dim = x.size()
    x = x.permute(0, 2, 3, 1).contiguous()
    return x.view(bs, seq, h * dim)

# %% wrong: loops-over-sentences | Iterating over a tensor goes along axis 0, the sentences of the batch, not the heads on axis 1: sentences are laid side by side, and the result is (H, T, N * d_k).
def merge_heads(x):
    heads = [head for head in x]
    return torch.cat(heads, dim=-1)

# %% wrong: joined-along-words | The heads are concatenated along the words (dim=1 of (N, T, d_k)) and not along the features; the view afterwards only forces the shape, so each row holds several words of one head.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    merged = torch.cat([x[:, h] for h in range(num_heads)], dim=1)
    return merged.view(batch, length, num_heads * d_k)

# %% wrong: through-lists | Two mistakes. The tensor goes through a Python list and torch.tensor, so no gradient can flow back through it; and torch.tensor makes float32 of it, so float64 inputs change their dtype.
def merge_heads(x):
    sentences = []
    for sentence in x.tolist():
        words = []
        for t in range(len(sentence[0])):
            word = []
            for head in sentence:
                word += head[t]
            words.append(word)
        sentences.append(words)
    return torch.tensor(sentences)

# %% right: unbind-and-cat
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)

# %% right: annotated-contiguous-view
def merge_heads(x):
    nbatches, h, _, d_k = x.size()
    return x.transpose(1, 2).contiguous().view(nbatches, -1, h * d_k)
