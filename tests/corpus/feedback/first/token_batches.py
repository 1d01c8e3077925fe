# %% wrong: not_sorted | TRUE CAUSE: sentences are sorted by their index, that is not at all, instead of by their length
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: index)
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)  # this one is the longest so far
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: without_the_new_one | TRUE CAUSE: the new sentence is not counted among the rows (len(batch) instead of len(batch) + 1), so batches get one row too many
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = len(batch) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: full_is_too_many | TRUE CAUSE: a batch of exactly max_tokens is refused (>= instead of >), so there are more batches than needed
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first | TRUE CAUSE: the longest sentences come first, but the padded size is still computed from the newest, now the shortest, so batches become too large
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = len([*batch, index]) * lengths[index]  # this one is the longest so far
        if batch and not padded_tokens <= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: same_rows_everywhere | TRUE CAUSE: every batch has as many rows as fit with the longest sentence of all, so batches of short sentences are much smaller than they could be and there are too many
def token_batches(lengths, max_tokens):
    if not lengths:
        return []
    order = torch.tensor(lengths).argsort().tolist()
    rows = max(1, max_tokens // max(lengths))
    return [order[start : start + rows] for start in range(0, len(order), rows)]

# %% wrong: sorts_the_list_itself | TRUE CAUSE: lengths itself is sorted in place and the places in the sorted list are returned, so the caller's list is changed and the indices do not belong to the original sentences
def token_batches(lengths, max_tokens):
    lengths.sort()
    batches = []
    start = 0
    for end in range(1, len(lengths) + 1):
        full = end == len(lengths) or lengths[end] * (end - start + 1) > max_tokens
        if full:
            batches.append(list(range(start, end)))
            start = end
    return batches

# %% wrong: called_like_a_function | TRUE CAUSE: lengths is a list and is called with round brackets, so it raises a TypeError
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths(index))
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: sum_and_last_lost | TRUE CAUSE: two mistakes: the real lengths are added up instead of rows times the longest, so padding is not counted; and the last batch is never put into the result
def token_batches(lengths, max_tokens):
    pairs = sorted((n, i) for i, n in enumerate(lengths))
    result, current, used = [], [], 0
    for n, i in pairs:
        if current and used + n > max_tokens:
            result.append(current)
            current, used = [], 0
        current.append(i)
        used += n
    return result
