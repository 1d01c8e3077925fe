# %% wrong: tokens_counted_without_padding | TRUE CAUSE: padded_tokens adds up the true lengths of the sentences instead of multiplying the longest by the number of rows, so the padding is not counted and padded batches exceed max_tokens.
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = sum(lengths[i] for i in batch) + lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
# %% wrong: batch_cleared_not_renewed | TRUE CAUSE: batch.clear() empties the very list that was just appended to batches instead of making a new one, so all batches are the same list and only the last one's sentences are left.
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)  # this one is the longest so far
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch.clear()
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
# %% wrong: own_longest_first_but_shortest_counted | TRUE CAUSE: The sentences are sorted longest first, but the size of a batch is still computed from the sentence just added, which now is the shortest instead of the longest, so batches exceed max_tokens.
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    result = []
    for i in order:
        if result and lengths[i] * (len(result[-1]) + 1) <= max_tokens:
            result[-1].append(i)
        else:
            result.append([i])
    return result
# %% wrong: own_places_looked_up_by_value | TRUE CAUSE: The places are found again with lengths.index(length), which returns the first sentence of that length each time, so of several equally long sentences one is repeated and the others are in no batch.
def token_batches(lengths, max_tokens):
    groups = []
    current = []
    for length in sorted(lengths):
        if current and (len(current) + 1) * length > max_tokens:
            groups.append(current)
            current = []
        current = current + [lengths.index(length)]
    return groups + [current] if current else groups
