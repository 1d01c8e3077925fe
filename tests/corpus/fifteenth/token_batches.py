# %% wrong: sum-not-padded | Two mistakes: the last batch is never put into the result, so its sentences are missing; and it counts the real tokens of a batch (the sum of the lengths) instead of its padded size, the longest length times the number of rows: batches become larger than max_tokens once they are padded.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = sum(lengths[i] for i in batch) + lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    return batches

# %% wrong: too-long-left-out | Sentences longer than max_tokens are filtered out beforehand, as fairseq does with --max-tokens, instead of getting a batch of their own: their indices are in no batch.
def token_batches(lengths, max_tokens):
    indices = [i for i in range(len(lengths)) if lengths[i] <= max_tokens]
    indices.sort(key=lambda i: lengths[i])
    batches = []
    batch = []
    sample_len = 0
    for idx in indices:
        sample_len = max(sample_len, lengths[idx])
        num_tokens = (len(batch) + 1) * sample_len
        if num_tokens > max_tokens and len(batch) > 0:
            batches.append(batch)
            batch = []
            sample_len = lengths[idx]
        batch.append(idx)
    if len(batch) > 0:
        batches.append(batch)
    return batches

# %% wrong: shortest-times-rows | Goes through the sentences from the longest to the shortest, but multiplies the rows by the length of the present one, which is now the shortest of the batch and not the longest: padded batches are larger than max_tokens.
def token_batches(lengths, max_tokens):
    order = sorted(enumerate(lengths), key=lambda pair: pair[1], reverse=True)
    batches = [[]]
    for index, length in order:
        rows = len(batches[-1]) + 1
        if batches[-1] and rows * length > max_tokens:
            batches.append([])
        batches[-1].append(index)
    return [batch for batch in batches if batch]

# %% wrong: same-list-cleared | The batch is put into the result and then emptied with clear(): the result holds the same list object again and again, so all batches end up with the content of the last one.
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        if batch and lengths[index] * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch.clear()
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: index-of-equal-lengths | Sorts the lengths themselves and finds the sentences again with lengths.index, which always gives the first one of that length: of several equally long sentences one is repeated and the others are missing.
def token_batches(lengths, max_tokens):
    remaining = sorted(lengths)
    batches = []
    while remaining:
        count = 1
        while count < len(remaining) and remaining[count] * (count + 1) <= max_tokens:
            count += 1
        batches.append([lengths.index(length) for length in remaining[:count]])
        remaining = remaining[count:]
    return batches

# %% right: longest-first
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    batches = []
    longest = 0
    for index in order:
        if not batches or longest * (len(batches[-1]) + 1) > max_tokens:
            batches.append([])
            longest = lengths[index]
        batches[-1].append(index)
    return batches

# %% right: fairseq-manner
def token_batches(lengths, max_tokens):
    indices = torch.tensor(lengths, dtype=torch.long).argsort(stable=True).tolist()
    def is_batch_full(num_sentences, num_tokens):
        return num_sentences > 0 and num_tokens > max_tokens
    sample_len = 0
    batches, batch = [], []
    for idx in indices:
        sample_len = max(sample_len, lengths[idx])
        if is_batch_full(len(batch), (len(batch) + 1) * sample_len):
            batches.append(batch)
            batch, sample_len = [], lengths[idx]
        batch.append(idx)
    return batches + [batch] if batch else batches
