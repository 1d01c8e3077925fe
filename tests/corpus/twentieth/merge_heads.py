# %% wrong: reshape-without-swap | Joins the axes of x itself instead of those of the swapped tensor, believing that reshape puts words and heads back in order; it keeps the order that one sees, so each output word holds several words of one head.
def merge_heads(x):
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)
    merged = x.reshape(batch, side_by_side.size(1), num_heads * d_k)
    return merged

# %% wrong: annotated-view-after-transpose | Calls view right after transpose and forgets contiguous() (or reshape): the swapped tensor is not contiguous, so view cannot join its last two axes and raises an error.
def merge_heads(x):
    nbatches, h, _, d_k = x.shape
    x = x.transpose(1, 2).view(nbatches, -1, h * d_k)
    return x

# %% wrong: d2l-heads-outermost | Brings batch and heads onto one axis and takes it apart as (H, N), but in it the batch is the slow axis and the heads the fast one; with more than one sentence and head, heads of different sentences are joined.
def merge_heads(x):
    batch_size, num_heads, num_steps, num_hiddens = x.shape
    folded = x.flatten(0, 1)
    unfolded = folded.reshape(num_heads, batch_size, num_steps, num_hiddens)
    return unfolded.permute(1, 2, 0, 3).reshape(batch_size, num_steps, -1)

# %% wrong: stack-behind-the-features | Puts the heads together with stack on a new last axis, behind d_k, instead of concatenating them: after flatten the features alternate between the heads, so they are not side by side and do not undo split_heads.
def merge_heads(x):
    outputs = [head for head in x.unbind(dim=1)]
    together = torch.stack(outputs, dim=-1)
    return together.flatten(start_dim=2)

# %% wrong: transpose-in-place | Swaps with transpose_, which changes the caller's tensor itself: the result is right, but x has the shape (N, T, H, d_k) afterwards, and the rules of lesson 00 say that a part changes nothing in place.
def merge_heads(x):
    n, h, t, d = x.shape
    x.transpose_(1, 2)
    joined = x.reshape(n, t, h * d)
    return joined

# %% right: cat-of-heads
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
