# %% wrong: key-padding-mask-sense | Has the sense of nn.MultiheadAttention's key_padding_mask, True where there is padding; in this course True means that a position may be attended to.
def padding_mask(ids, pad_id):
    key_padding_mask = ids == pad_id
    return key_padding_mask.view(ids.size(0), 1, 1, ids.size(1))

# %% wrong: greater-than-pad | Takes every id larger than pad_id for a real token; pad_id need not be the smallest, and ids are names without an order, so tokens with smaller ids are hidden.
def padding_mask(ids, pad_id):
    visible = torch.gt(ids, pad_id)
    return visible[:, None, None]

# %% wrong: query-axis | Puts the tokens on the axis of the queries, (N, 1, T, 1), as some published code does for targets: that hides whole rows of padding queries, while real queries still see the padding; the keys are the last axis.
def padding_mask(ids, pad_id):
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(3)
    return trg_pad_mask

# %% wrong: from-lengths | Counts the real tokens of a sentence and lets its first positions be seen: right only where padding stands behind, but padding may stand anywhere.
def padding_mask(ids, pad_id):
    lengths = ids.ne(pad_id).sum(dim=1)
    places = torch.arange(ids.size(1), device=ids.device)
    mask = places.unsqueeze(0) < lengths.unsqueeze(1)
    return mask.reshape(len(ids), 1, 1, -1)

# %% wrong: annotated-one-axis-short | Makes only one new axis, (N, 1, T), as the Annotated Transformer does before its attention adds the heads; here the mask must be (N, 1, 1, T), and against scores (N, H, T, T) the sentences would be aligned with the heads.
def padding_mask(ids, pad_id):
    src_mask = (ids != pad_id).unsqueeze(-2)
    return src_mask

# %% right: indexed-axes
def padding_mask(ids, pad_id):
    hidden = ids.eq(pad_id)
    return torch.logical_not(hidden)[:, None, None, :]
