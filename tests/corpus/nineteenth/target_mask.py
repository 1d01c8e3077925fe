# %% wrong: either-allows | Joins the two masks with "or", so a key may be seen where one of them allows it; it must be allowed by both (and).
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask

# %% wrong: padding-on-the-query-axis | The padding part is (N, 1, T, 1), so it hides the rows of queries that are padding and leaves the columns of padding visible to later queries; it must be (N, 1, 1, T), which hides keys.
def target_mask(ids, pad_id):
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(3)
    trg_len = ids.shape[1]
    trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=ids.device)).bool()
    return trg_pad_mask & trg_sub_mask

# %% wrong: causal-on-the-cpu | Makes the causal part without a device, so it is on the CPU wherever ids are; both parts have to be on the device of ids.
def target_mask(ids, pad_id):
    visible = causal_mask(ids.size(-1))
    return torch.logical_and(padding_mask(ids, pad_id), visible)

# %% wrong: diagonal-always-open | Lets every token see itself, padding too, so that no row is empty: the column of padding is then True on the diagonal, but the mask "both" never allows a key that is padding, and rows that see no key do no harm.
def target_mask(ids, pad_id):
    length = ids.size(1)
    both = padding_mask(ids, pad_id) & causal_mask(length, ids.device)
    itself = torch.eye(length, dtype=torch.bool, device=ids.device)
    return both | itself

# %% wrong: causal-only | Takes the causal mask alone for enough, because with padding on the right no real token looks at it anyway; the mask must hide padding, too, which may stand anywhere.
def target_mask(ids, pad_id):
    batch, length = ids.shape
    place = torch.arange(length, device=ids.device)
    mask = place[:, None] >= place[None, :]
    return mask.expand(batch, 1, length, length)

# %% right: one-fill
def target_mask(ids, pad_id):
    visible = causal_mask(ids.shape[1], device=ids.device)
    return visible.masked_fill(ids.eq(pad_id)[:, None, None, :], False)
