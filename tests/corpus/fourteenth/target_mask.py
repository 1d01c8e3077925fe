# %% wrong: either_mask_is_enough | The masks are joined with "or" instead of "and": a key may be seen if one of the two allows it, so real words of the future are seen, and padding in the past.
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), device=ids.device)
    return mask
# %% wrong: square_as_large_as_the_batch | The causal part is made with ids.size(0), the number of sentences N, instead of ids.size(1), the number of tokens T: right only if the two happen to be equal; with N = 1 it hides nothing of the future, else the shapes do not fit.
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), ids.device)
    return mask
# %% wrong: own_padding_rows_emptied_too | Padding is hidden as a query, too: the transposed padding mask empties its rows, but a padding row may look like any other; only its column is hidden.
def target_mask(ids, pad_id):
    as_key = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    as_query = as_key.transpose(-2, -1)  # (N, 1, T, 1)
    past = causal_mask(ids.size(1), ids.device)
    return as_key & as_query & past
# %% wrong: own_axis_of_the_heads_missing | The masks of the sentences are stacked to (N, T, T) without an axis of size 1 for the heads: such a mask broadcasts with its N along the heads instead of the sentences.
def target_mask(ids, pad_id):
    length = ids.size(1)
    past = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    both = [past & (sentence != pad_id) for sentence in ids]
    return torch.stack(both)
