# %% wrong: true-means-padding | Takes True to mean "padding, to be hidden", as in nn.MultiheadAttention's key_padding_mask. In this course True means "may be attended to".
def padding_mask(ids, pad_id):
    real = ids == pad_id
    mask = real.unsqueeze(1).unsqueeze(2)
    return mask

# %% wrong: zero-is-padding | Takes it for granted that padding is 0 and turns the ids into booleans, without looking at pad_id, which need not be 0.
def padding_mask(ids, pad_id):
    real = ids.bool()
    return real[:, None, None, :]

# %% wrong: ids-in-order | Compares with > instead of !=, as if all real ids were larger than pad_id. Ids are names without an order, and those below pad_id are hidden.
def padding_mask(ids, pad_id):
    real = ids > pad_id
    mask = real.unsqueeze(1).unsqueeze(1)
    return mask

# %% wrong: queries-hidden | Puts the axis of size 1 at the end, (N, 1, T, 1), so padded queries (rows) are hidden instead of padded keys (columns): every real query still sees the padding.
def padding_mask(ids, pad_id):
    batch, length = ids.shape
    return torch.ne(ids, pad_id).reshape(batch, 1, length, 1)

# %% wrong: annotated-three-axes | Makes the mask (N, 1, T), as the Annotated Transformer does, whose attention adds the axis of the heads later. Here the contract is (N, 1, 1, T); three axes broadcast so that the sentences stand where the heads are.
def padding_mask(ids, pad_id):
    src_mask = (ids != pad_id).unsqueeze(-2)
    return src_mask

# %% wrong: lengths | Counts the real tokens and shows the first so many positions, which holds for padding on the right only; padding may stand anywhere.
def padding_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1)
    place = torch.arange(ids.size(1), device=ids.device)
    return (place < lengths.unsqueeze(1)).view(ids.size(0), 1, 1, -1)

# %% wrong: huggingface-additive | Returns an additive mask, 0.0 for real tokens and the lowest number for padding, as Hugging Face's extended attention mask. In this course a mask is boolean, True where something may be seen.
def padding_mask(ids, pad_id):
    attention_mask = (ids != pad_id).to(torch.get_default_dtype())
    extended = attention_mask[:, None, None, :]
    return (1.0 - extended) * torch.finfo(extended.dtype).min

# %% wrong: through-lists | Builds the mask from Python lists with torch.tensor, so it always lies on the CPU; it has to be on the device of ids.
def padding_mask(ids, pad_id):
    real = torch.tensor([[token != pad_id for token in row] for row in ids.tolist()])
    return real.unsqueeze(1).unsqueeze(2)

# %% wrong: two-inverted-on-the-query-axis | Two mistakes. The padded tokens are marked True instead of the real ones (inverted sense), and the positions stand on the axis of the queries, (N, 1, T, 1), instead of that of the keys.
def padding_mask(ids, pad_id):
    is_pad = torch.eq(ids, pad_id)
    return is_pad[:, None, :, None]

# %% right: eq-inverted-view
def padding_mask(ids, pad_id):
    return ~torch.eq(ids, pad_id).reshape(ids.size(0), 1, 1, ids.size(1))

# %% right: indexing-with-none
def padding_mask(ids, pad_id):
    hidden = ids == pad_id
    return hidden.logical_not()[:, None, None]
