# %% wrong: padding_not_counted | The sum of the lengths is compared with max_tokens. Each row is padded to the longest sentence, so the batch takes the longest length times the number of rows, which may be more than max_tokens.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = sum(lengths[one] for one in batch) + lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
# %% wrong: full_batch_is_too_many | A batch that would have exactly max_tokens is already taken as too many (>= instead of >). At most max_tokens are allowed, so there are more batches than needed.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)  # this one is the longest so far
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
# %% wrong: own_longest_first_counts_the_shortest | The sentences come longest first, but the rows are multiplied by the length of the newest one, which is now the shortest of the batch. Rows are padded to the longest, the first one, so batches become too large.
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    batches = []
    for index in order:
        fits = bool(batches) and (len(batches[-1]) + 1) * lengths[index] <= max_tokens
        if fits:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches
# %% wrong: own_index_of_the_length | The lengths themselves are sorted, and the index of each is looked up with lengths.index, which gives the first one of this length. Of several sentences of the same length the first comes several times and the others never.
def token_batches(lengths, max_tokens):
    batches, current = [], []
    for length in sorted(lengths):
        if current and length * (len(current) + 1) > max_tokens:
            batches.append(current)
            current = []
        current.append(lengths.index(length))
    return batches + [current] if current else batches
