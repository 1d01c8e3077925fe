# %% wrong: one-row-too-few | The padded size is computed with the rows that are already in the batch, without the new one: a batch can become one row too large for max_tokens.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = len(batch) * lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: exact-fit-refused | A batch that would hold exactly max_tokens is refused, with >= instead of >: there can be more batches than needed. At most max_tokens means that as many are allowed.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: not-sorted | In the manner of The Annotated Transformer's batch_size_fn: the padded size is tracked correctly with the longest so far, but the sentences are taken in the order of the data. Sentences of all lengths share a batch, and there are more batches than needed.
def token_batches(lengths, max_tokens):
    batches, minibatch, max_in_batch = [], [], 0
    for index, length in enumerate(lengths):
        longest = max(max_in_batch, length)
        if minibatch and longest * (len(minibatch) + 1) > max_tokens:
            batches.append(minibatch)
            minibatch, longest = [], length
        minibatch.append(index)
        max_in_batch = longest
    if minibatch:
        batches.append(minibatch)
    return batches

# %% wrong: padding-not-counted | The lengths of the sentences in a batch are added up: that counts the real tokens without the padding, so the longest length times the rows can exceed max_tokens.
def token_batches(lengths, max_tokens):
    batches, held = [], 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not batches or held + lengths[index] > max_tokens:
            batches.append([])
            held = 0
        batches[-1].append(index)
        held += lengths[index]
    return batches

# %% wrong: shortest-times-rows | The sentences come longest first, but the rows are multiplied by the length of the newest, now the shortest of the batch, instead of that of the first and longest: batches become too large.
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    groups = []
    for i in order:
        if groups and (len(groups[-1]) + 1) * lengths[i] <= max_tokens:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups

# %% wrong: too-long-left-out | In the manner of fairseq's filtering by size: a sentence longer than max_tokens is skipped. The contract gives it a batch of its own.
def token_batches(lengths, max_tokens):
    indices = sorted(range(len(lengths)), key=lambda idx: lengths[idx])
    indices = [idx for idx in indices if lengths[idx] <= max_tokens]
    batches = []
    batch = []
    for idx in indices:
        sample_len = lengths[idx]
        if len(batch) > 0 and (len(batch) + 1) * sample_len > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(idx)
    if len(batch) > 0:
        batches.append(batch)
    return batches

# %% wrong: sorts-the-callers-list | Two mistakes. `lengths` itself is sorted in place, while the contract says that it stays as it is; and the indices then point into the sorted list, so they belong to other sentences than the caller's.
def token_batches(lengths, max_tokens):
    lengths.sort()
    batches = []
    start = 0
    for stop, length in enumerate(lengths):
        if stop > start and (stop - start + 1) * length > max_tokens:
            batches.append(list(range(start, stop)))
            start = stop
    if start < len(lengths):
        batches.append(list(range(start, len(lengths))))
    return batches

# %% right: longest-first
def token_batches(lengths, max_tokens):
    waiting = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    batches = []
    for index in waiting:
        if batches:
            rows = len(batches[-1]) + 1
            if rows * lengths[batches[-1][0]] <= max_tokens:
                batches[-1].append(index)
                continue
        batches.append([index])
    return batches

# %% right: cut-a-sorted-list
def token_batches(lengths, max_tokens):
    pairs = sorted((length, index) for index, length in enumerate(lengths))
    def batches_from(start):
        while start < len(pairs):
            stop = start + 1
            while stop < len(pairs) and (stop - start + 1) * pairs[stop][0] <= max_tokens:
                stop += 1
            yield [index for _, index in pairs[start:stop]]
            start = stop
    return list(batches_from(0))
