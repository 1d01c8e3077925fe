# %% wrong: true-for-padding | The sense of the mask is turned round: True stands where there is padding, as in torch's key_padding_mask, but in this course True means "may be attended to", so only padding can be seen.
def padding_mask(ids, pad_id):
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask

# %% wrong: queries-hidden-too | Combines the mask of the keys with one of the queries to (N, 1, T, T), so the rows of padding see nothing; the padding mask hides keys (columns) alone, is the same for every query, and has the shape (N, 1, 1, T).
def padding_mask(ids, pad_id):
    length = ids.size(1)
    k = ids.ne(pad_id).unsqueeze(1).unsqueeze(2)
    k = k.repeat(1, 1, length, 1)
    q = ids.ne(pad_id).unsqueeze(1).unsqueeze(3)
    q = q.repeat(1, 1, 1, length)
    return k & q

# %% wrong: valid-lengths | Counts the real tokens of a row and lets that many first positions be seen, which assumes that all padding stands on the right; padding may stand anywhere.
def padding_mask(ids, pad_id):
    valid_len = (ids != pad_id).sum(dim=1)
    steps = torch.arange(ids.size(1), device=ids.device)
    mask = steps[None, :] < valid_len[:, None]
    return mask[:, None, None, :]

# %% wrong: one-axis-short | Adds only one axis, (N, 1, T), as the Annotated Transformer does, which adds that of the heads later; against scores of (N, H, T, T) the sentences' axis is then aligned with the heads. The mask must be (N, 1, 1, T).
def padding_mask(ids, pad_id):
    return (ids != pad_id).unsqueeze(-2)

# %% wrong: larger-than-padding | Takes all ids above pad_id for real tokens, but ids are names without an order and pad_id need not be the smallest, so real tokens with a smaller id are hidden as well.
def padding_mask(ids, pad_id):
    batch, length = ids.shape
    mask = torch.gt(ids, pad_id)
    return mask.view(batch, 1, 1, length)

# %% right: indexed-with-none
def padding_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None]
