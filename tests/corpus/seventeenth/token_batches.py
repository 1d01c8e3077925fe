# %% wrong: longest-first-current-length | The sentences are sorted with the longest first, but a batch's size is still computed with the length of the newcomer, which then is the shortest; the longest is the batch's first, so batches are too large.
def token_batches(lengths, max_tokens):
    order = torch.tensor(lengths).argsort(descending=True).tolist()
    batches = []
    for index in order:
        if batches and lengths[index] * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches

# %% wrong: torchtext-stale-longest | The longest length so far is kept in a variable that is not set back when a new batch begins; with the longest sentences first it stays that of the first batch for good, so later batches are too small and there are more than needed.
def token_batches(lengths, max_tokens):
    longest_so_far = 0
    def batch_size_fn(index, count):
        nonlocal longest_so_far
        longest_so_far = max(longest_so_far, lengths[index])
        return count * longest_so_far
    minibatch, result = [], []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if minibatch and batch_size_fn(index, len(minibatch) + 1) > max_tokens:
            result.append(minibatch)
            minibatch = []
        minibatch.append(index)
        batch_size_fn(index, len(minibatch))
    if minibatch:
        result.append(minibatch)
    return result

# %% wrong: fairseq-drops-long-ones | Sentences longer than max_tokens are filtered out, as fairseq does, while each has to get a batch of its own.
def token_batches(lengths, max_tokens):
    indices = [index for index, size in enumerate(lengths) if size <= max_tokens]
    indices.sort(key=lambda index: (lengths[index], index))
    batches, start = [], 0
    for stop in range(1, len(indices) + 1):
        if stop == len(indices) or lengths[indices[stop]] * (stop + 1 - start) > max_tokens:
            batches.append(indices[start:stop])
            start = stop
    return batches

# %% wrong: not-full-and-last-lost | Two mistakes. A batch is closed when it would reach max_tokens exactly (>= for >), though "at most" allows that; and the batch that is open at the end is never put into the result.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[index]
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    return batches

# %% wrong: fixed-rows | All batches get the same number of rows, the one that fits the longest sentence of all, so short sentences stand in far more batches than needed.
def token_batches(lengths, max_tokens):
    if not lengths:
        return []
    order = sorted(range(len(lengths)), key=lambda index: lengths[index])
    rows = max(1, max_tokens // max(lengths))
    return [order[begin : begin + rows] for begin in range(0, len(order), rows)]

# %% wrong: lengths-for-indices | What is grouped are places in the sorted list, not indices into lengths: after sorting, place 0 is the shortest sentence, wherever it stood; the caller gets batches of the wrong sentences.
def token_batches(lengths, max_tokens):
    batches, batch = [], []
    for place, length in enumerate(sorted(lengths)):
        if batch and length * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(place)
    return batches + [batch] if batch else batches

# %% wrong: same-length-buckets | Only sentences of exactly the same length share a batch, so there are more batches than needed where lengths differ a little.
def token_batches(lengths, max_tokens):
    buckets = {}
    for index, length in enumerate(lengths):
        buckets.setdefault(length, []).append(index)
    batches = []
    for length in sorted(buckets):
        rows = max(1, max_tokens // max(length, 1))
        bucket = buckets[length]
        batches.extend(bucket[at : at + rows] for at in range(0, len(bucket), rows))
    return batches

# %% right: longest-first
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda index: lengths[index], reverse=True)
    batches = []
    at = 0
    while at < len(order):
        rows = max(1, max_tokens // max(1, lengths[order[at]]))
        batches.append(order[at : at + rows])
        at += rows
    return batches

# %% right: generator
def token_batches(lengths, max_tokens):
    def groups():
        group, longest = [], 0
        for length, index in sorted((length, index) for index, length in enumerate(lengths)):
            longest = max(longest, length)
            if group and (len(group) + 1) * longest > max_tokens:
                yield group
                group, longest = [], length
            group.append(index)
        if group:
            yield group
    return list(groups())
