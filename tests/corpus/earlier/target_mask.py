# %% wrong: own_lengths_by_counting | The number of real tokens is taken for the place where padding begins, which is true for padding on the right only: with padding on the left, real tokens are hidden and padding is seen.
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    lengths = ids.ne(pad_id).sum(dim=1)  # (N,)
    inside = place < lengths[:, None, None, None]  # (N, 1, 1, T)
    before = place <= place[:, None]  # (T, T)
    return inside & before
# %% wrong: own_and_in_place | `&=` writes into the causal mask, (1, 1, T, T); the result for N sentences has no room there, so there is an error for more than one sentence.
def target_mask(ids, pad_id):
    both = causal_mask(ids.shape[-1], device=ids.device)
    both &= padding_mask(ids, pad_id)
    return both
