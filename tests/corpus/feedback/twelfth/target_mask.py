# %% wrong: size_is_number_of_sentences | TRUE CAUSE: takes ids.size(0), the number of sentences N, for the length T, so the causal part is N by N: it does not fit unless N equals T, and for a single sentence it hides no future
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), ids.device)  # (N, 1, T, T)
    return mask
# %% wrong: padding_rows_hidden | TRUE CAUSE: hides padding as a query as well as a key (the padding mask transposed is and-ed in), so the rows of padding are all False instead of seeing the real tokens before them
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    padding = padding_mask(ids, pad_id)
    padding = padding & padding.transpose(-2, -1)
    mask = padding & causal_mask(ids.size(-1), device=ids.device)  # (N, 1, T, T)
    return mask
# %% wrong: own_same_square_for_all | TRUE CAUSE: `[triangle] * N` puts one and the same tensor into the list N times and it is changed in place, so each sentence also loses the columns at which any other sentence of the batch has padding
def target_mask(ids, pad_id):
    N, T = ids.shape
    squares = [causal_mask(T, ids.device)[0, 0]] * N
    for square, sentence in zip(squares, ids):
        square[:, sentence == pad_id] = False
    return torch.stack(squares).unsqueeze(1)
# %% wrong: own_always_sees_itself | TRUE CAUSE: adds the diagonal back after the masks are combined, in order that no row is empty, so each padding position may look at itself although it is padding
def target_mask(ids, pad_id):
    T = ids.shape[1]
    may_see = padding_mask(ids, pad_id) * causal_mask(T, ids.device)
    itself = torch.eye(T, dtype=torch.bool, device=ids.device)
    return may_see | itself
