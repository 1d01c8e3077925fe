# %% right: twelfth_own_one_sentence_after_the_other
def target_mask(ids, pad_id):
    T = ids.shape[1]
    triangle = causal_mask(T, device=ids.device)[0]
    per_sentence = []
    for row in padding_mask(ids, pad_id):
        per_sentence.append(torch.where(row, triangle, torch.zeros_like(triangle)))
    return torch.stack(per_sentence, dim=0)
# %% right: own_sentence_by_sentence
def target_mask(ids, pad_id):
    n, t = ids.shape
    triangle = causal_mask(t, device=ids.device)
    result = triangle.repeat(n, 1, 1, 1)
    for sentence in range(n):
        keys = padding_mask(ids[sentence : sentence + 1], pad_id)
        result[sentence : sentence + 1] &= keys
    return result
# %% right: own_count_of_real_tokens
def target_mask(ids, pad_id):
    real = ids != pad_id
    so_far = real.long().cumsum(dim=1)  # how many real tokens stand up to each place
    # A real key with a number not above the query's stands at the query or before it.
    not_later = so_far[:, None, None, :] <= so_far[:, None, :, None]
    return not_later & real[:, None, None, :]
# %% right: thirteenth_own_lower_triangle_of_the_expanded
def target_mask(ids, pad_id):
    length = ids.size(1)
    rows = padding_mask(ids, pad_id).expand(-1, -1, length, -1)  # (N, 1, T, T)
    place = torch.arange(length, device=ids.device)
    return rows.masked_fill(place.unsqueeze(0) > place.unsqueeze(1), False)
# %% right: fourteenth_own_from_positions_and_ids
def target_mask(ids, pad_id):
    place = torch.arange(ids.shape[1], device=ids.device)
    not_later = place <= place[:, None]  # (T, T): key, at most the query
    is_word = torch.ne(ids, pad_id)[:, None, None, :]
    return torch.logical_and(not_later, is_word)
# %% right: field_pad_and_sub
def target_mask(ids, pad_id):
    trg_pad_mask = (ids != pad_id).unsqueeze(1).unsqueeze(2)
    trg_len = ids.shape[1]
    trg_sub_mask = torch.tril(torch.ones((trg_len, trg_len), device=ids.device)).bool()
    return trg_pad_mask & trg_sub_mask
