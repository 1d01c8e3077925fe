# %% wrong: or | Joins the two masks with "or", so a key is visible if one of the two allows it. It has to be allowed by each of them.
def target_mask(ids, pad_id):
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: added | Adds the two masks, as additive masks of zeros and minus infinities are joined. The sum of booleans is an "or": hidden keys of one mask come back through the other.
def target_mask(ids, pad_id):
    pad = padding_mask(ids, pad_id)
    future = causal_mask(ids.shape[-1], device=ids.device)
    return (pad + future).to(torch.bool)

# %% wrong: device-forgotten | Calls causal_mask without the device of ids, so it lies on the CPU and cannot be joined with the padding mask where ids are elsewhere.
def target_mask(ids, pad_id):
    _, trg_len = ids.shape
    trg_pad_mask = padding_mask(ids, pad_id)
    trg_sub_mask = causal_mask(trg_len)
    return trg_pad_mask & trg_sub_mask

# %% wrong: causal-only | Forgets padding: only the causal mask is expanded over the sentences, thinking that padding on the right comes later anyway. The rows after a padded key (and padding on the left) see the padding.
def target_mask(ids, pad_id):
    batch, length = ids.shape
    return causal_mask(length, ids.device).expand(batch, 1, length, length)

# %% wrong: annotated-no-head-axis | Builds the mask as (N, T, T), as the Annotated Transformer does, whose attention adds the axis of the heads by itself. Here the contract is (N, 1, T, T).
def target_mask(ids, pad_id):
    tgt_mask = (ids != pad_id).unsqueeze(-2)
    tgt_mask = tgt_mask & causal_mask(ids.size(-1), ids.device)[0].type_as(tgt_mask)
    return tgt_mask

# %% wrong: diagonal-put-back | Puts the diagonal back after joining, so that no row is empty. With it a padded token sees itself, although a padded key must be hidden from every query; empty rows are no harm here.
def target_mask(ids, pad_id):
    length = ids.size(1)
    both = padding_mask(ids, pad_id) & causal_mask(length, ids.device)
    itself = torch.eye(length, dtype=torch.bool, device=ids.device)
    return both | itself

# %% wrong: two-zero-and-strict | Two mistakes. Takes 0 for padding without looking at pad_id, and compares positions strictly, so that no token sees itself.
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    earlier = place.view(1, 1, -1, 1) > place.view(1, 1, 1, -1)
    real = (ids != 0).view(ids.size(0), 1, 1, -1)
    return earlier & real

# %% right: product-of-booleans
def target_mask(ids, pad_id):
    return padding_mask(ids, pad_id) * causal_mask(ids.size(-1), ids.device)

# %% right: de-morgan-in-one-comparison
def target_mask(ids, pad_id):
    place = torch.arange(ids.size(1), device=ids.device)
    later = place.unsqueeze(0) > place.unsqueeze(1)
    padded = (ids == pad_id).unsqueeze(1)
    return torch.logical_or(later, padded).logical_not().unsqueeze(1)
