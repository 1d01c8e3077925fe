# %% wrong: real-tokens-summed | A batch is limited by the sum of its sentences' lengths, the real tokens, as in a running total. What counts is the padded size, the longest sentence times the number of rows, so batches of unequal lengths hold more than max_tokens numbers.
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches, batch, size_so_far = [], [], 0
    for i in order:
        if batch and size_so_far + lengths[i] > max_tokens:
            batches.append(batch)
            batch, size_so_far = [], 0
        batch.append(i)
        size_so_far += lengths[i]
    if batch:
        batches.append(batch)
    return batches

# %% wrong: shortest-of-the-batch | The sentences are sorted from long to short, but the padded size is still computed with the length of the sentence that comes, which is now the shortest of its batch. The longest is the first one of the batch, so batches get larger than max_tokens.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index], reverse=True)
    batches, batch = [], []
    for index in by_length:
        rows = len(batch) + 1
        if batch and rows * lengths[index] > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: fairseq-multiples-of-eight | A full batch is cut down to a multiple of 8 rows, and what is left over goes into the next one, as fairseq does for the GPU. So batches are not filled as far as they could be, and there are more batches than needed.
def token_batches(lengths, max_tokens):
    bsz_mult = 8
    indices = sorted(range(len(lengths)), key=lambda i: lengths[i])
    batches, batch = [], []
    for idx in indices:
        sample_len = lengths[idx]
        while batch and sample_len * (len(batch) + 1) > max_tokens:
            mod_len = max(bsz_mult * (len(batch) // bsz_mult), len(batch) % bsz_mult)
            batches.append(batch[:mod_len])
            batch = batch[mod_len:]
        batch.append(idx)
    if len(batch) > 0:
        batches.append(batch)
    return batches

# %% wrong: places-in-the-sorted-list | Two mistakes. The list `lengths` is sorted in place, though it has to stay as it is; and the batches hold places in the sorted list, not the indices that the sentences had in the list that was given.
def token_batches(lengths, max_tokens):
    lengths.sort()
    batches, first = [], 0
    for place, longest in enumerate(lengths):
        if place > first and longest * (place - first + 1) > max_tokens:
            batches.append(list(range(first, place)))
            first = place
    if first < len(lengths):
        batches.append(list(range(first, len(lengths))))
    return batches

# %% wrong: too-long-left-out | Sentences longer than max_tokens are left out, as when invalid sizes are skipped. Each sentence goes into one batch, and one that is longer than max_tokens gets a batch of its own.
def token_batches(lengths, max_tokens):
    valid = (i for i, length in enumerate(lengths) if length <= max_tokens)
    batches = []
    for i in sorted(valid, key=lambda i: lengths[i]):
        if not batches or lengths[i] * (len(batches[-1]) + 1) > max_tokens:
            batches.append([])
        batches[-1].append(i)
    return batches

# %% right: from-the-longest
def token_batches(lengths, max_tokens):
    batches = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batches and lengths[batches[-1][0]] * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches

# %% right: stretch-by-stretch
def token_batches(lengths, max_tokens):
    order = torch.tensor(lengths, dtype=torch.long).argsort().tolist()
    batches, first = [], 0
    while first < len(order):
        last = first
        while (
            last + 1 < len(order)
            and lengths[order[last + 1]] * (last + 2 - first) <= max_tokens
        ):
            last += 1
        batches.append(order[first : last + 1])
        first = last + 1
    return batches
