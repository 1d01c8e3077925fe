# %% wrong: turned_around | TRUE CAUSE: the comparison is the wrong way round, so True stands at the padding instead of at the real tokens
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask


# %% wrong: pad_is_zero | TRUE CAUSE: the padding is taken to be 0 instead of pad_id
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != 0  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask


# %% wrong: two_axes_at_once | TRUE CAUSE: unsqueeze is called with two places at once, which it does not take, so it crashes
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1, 2)  # (N, 1, 1, T)
    return mask


# %% wrong: axes_in_front | TRUE CAUSE: both new axes are put in front, (1, 1, N, T), so the batch stands where the queries belong
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = torch.ne(ids, pad_id)  # (N, T)
    mask = real[None, None]  # (N, 1, 1, T)
    return mask


# %% wrong: ids_have_an_order | TRUE CAUSE: two at once: real tokens are taken to be those with an id larger than pad_id, but ids are names without an order, and the mask holds integers instead of booleans
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = torch.gt(ids, pad_id).long()  # (N, T)
    mask = real[:, None, None, :]  # (N, 1, 1, T)
    return mask


# %% wrong: hides_queries | TRUE CAUSE: the tokens are put on the query axis, (N, 1, T, 1), instead of the key axis
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ~ids.eq(pad_id)  # (N, T)
    mask = real.view(real.size(0), 1, -1, 1)  # (N, 1, 1, T)
    return mask


# %% wrong: only_on_the_right | TRUE CAUSE: the real tokens are counted and the first so many positions marked, which is right only if all padding stands on the right
def padding_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1)  # (N,)
    place = torch.arange(ids.size(1), device=ids.device)  # (T,)
    mask = place[None, :] < lengths[:, None]
    return mask[:, None, None, :]


# %% wrong: padding_may_not_ask | TRUE CAUSE: the padding is hidden as a query too, so the mask is (N, 1, T, T) and the rows of the padding are empty
def padding_mask(ids, pad_id):
    real = ids != pad_id
    pairs = torch.einsum("nq,nk->nqk", real.int(), real.int()).bool()
    return pairs.unsqueeze(1)


# %% wrong: numbers_to_add | TRUE CAUSE: two at once: the mask holds 0 and minus infinity, to be added, instead of booleans, and it lacks one axis, (N, 1, T)
def padding_mask(ids, pad_id):
    mask = torch.zeros(ids.shape, device=ids.device)
    mask = mask.masked_fill(ids == pad_id, float("-inf"))
    return mask.unsqueeze(1)
