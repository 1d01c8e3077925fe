# %% wrong: sum-without-padding | The size of a batch is taken as the sum of its sentences' lengths, without the padding that fills every row to the longest; so a batch can hold more than max_tokens numbers.
def token_batches(lengths, max_tokens):
    batches, batch, tokens = [], [], 0
    for index, length in sorted(enumerate(lengths), key=lambda pair: pair[1]):
        if batch and tokens + length > max_tokens:
            batches.append(batch)
            batch, tokens = [], 0
        batch.append(index)
        tokens += length
    return batches + [batch] if batch else batches

# %% wrong: forgets-the-new-row | The padded size counts only the rows that the batch has already, not the one that is about to come in; so a batch can end one row above max_tokens.
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

# %% wrong: last-batch-lost | A batch is handed over only when the next sentence no longer fits, and the last, still open one never is; so the longest sentences are in no batch.
def token_batches(lengths, max_tokens):
    def groups():
        batch = []
        for index in sorted(range(len(lengths)), key=lengths.__getitem__):
            if batch and (len(batch) + 1) * lengths[index] > max_tokens:
                yield batch
                batch = []
            batch.append(index)
    return list(groups())

# %% wrong: hf-longest-first-by-the-shortest | The sentences come from long to short, but the size of a batch is still the rows times the length of the sentence that comes in, now its shortest; the first one is the longest, and decides how long all rows are.
def token_batches(lengths, max_tokens):
    megabatch = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    batches = [[]]
    for i in megabatch:
        rows = len(batches[-1]) + 1
        if batches[-1] and rows * lengths[i] > max_tokens:
            batches.append([])
        batches[-1].append(i)
    return [batch for batch in batches if batch]

# %% wrong: fairseq-too-long-is-skipped | Sentences longer than max_tokens are left out as invalid inputs, as fairseq can do; here such a sentence gets a batch of its own.
def token_batches(lengths, max_tokens):
    order = torch.tensor(lengths).argsort(stable=True).tolist()
    order = [index for index in order if lengths[index] <= max_tokens]
    batches, start = [], 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end + 1 - start) * lengths[order[end]] <= max_tokens:
            end += 1
        batches.append(order[start:end])
        start = end
    return batches

# %% wrong: annotated-longest-not-reset | The longest length so far is kept in a variable that is not set back when a new batch begins; as the sentences come from long to short, all later batches are measured by the very longest sentence, and there are more batches than needed.
def token_batches(lengths, max_tokens):
    max_in_batch = 0
    def batch_size_fn(index, count):
        nonlocal max_in_batch
        max_in_batch = max(max_in_batch, lengths[index])
        return count * max_in_batch
    batches, minibatch = [], []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if minibatch and batch_size_fn(index, len(minibatch) + 1) > max_tokens:
            batches.append(minibatch)
            minibatch = []
        elif not minibatch:
            batch_size_fn(index, 1)
        minibatch.append(index)
    if minibatch:
        batches.append(minibatch)
    return batches

# %% wrong: full-batch-counts-as-too-full | A batch is closed when the next sentence would make it exactly max_tokens (>=), although max_tokens itself is allowed; so some batches are smaller than they may be, and there can be more than needed.
def token_batches(lengths, max_tokens):
    import heapq
    waiting = [(length, index) for index, length in enumerate(lengths)]
    heapq.heapify(waiting)
    batches = []
    while waiting:
        _, index = heapq.heappop(waiting)
        batch = [index]
        while waiting and waiting[0][0] * (len(batch) + 1) < max_tokens:
            batch.append(heapq.heappop(waiting)[1])
        batches.append(batch)
    return batches

# %% wrong: sorts-the-list-itself | Two mistakes. (1) The list lengths is sorted in place, though it must stay as it is, and the indices then are places in the sorted list, not in the one that came in. (2) The size is the rows so far times the new length, without the new row itself.
def token_batches(lengths, max_tokens):
    lengths.sort()
    batches, first = [], 0
    for place, length in enumerate(lengths):
        if place > first and (place - first) * length > max_tokens:
            batches.append(list(range(first, place)))
            first = place
    if first < len(lengths):
        batches.append(list(range(first, len(lengths))))
    return batches

# %% right: longest-first-slices
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda index: lengths[index], reverse=True)
    batches = []
    while order:
        longest = max(lengths[order[0]], 1)
        rows = max(max_tokens // longest, 1)
        batches.append(order[:rows])
        order = order[rows:]
    return batches
