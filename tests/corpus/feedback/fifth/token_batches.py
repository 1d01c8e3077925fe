# %% wrong: longest_is_the_previous_one | TRUE CAUSE: the padded size is taken with the length of the last one already in the batch (the longest so far, as it seems), not with that of the new, longer one, so batches exceed max_tokens
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[batch[-1] if batch else index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first | TRUE CAUSE: sorted from the longest to the shortest, but the padded size still uses the new sentence's length, which is now the shortest of its batch: the batch is as wide as its first sentence and exceeds max_tokens
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    batches, batch = [], []
    for i in order:
        if batch and (len(batch) + 1) * lengths[i] > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: cleared_in_place | TRUE CAUSE: the full batch is emptied in place (batch.clear()) after it was appended, so the list inside batches is the same object: all batches are one list and hold the last sentences only
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch.clear()
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: too_long_left_out | TRUE CAUSE: two mistakes: a sentence longer than max_tokens is skipped instead of getting a batch of its own, and a batch that would be exactly max_tokens large is already closed (>= for >)
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1)."""
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        if lengths[index] > max_tokens:
            continue  # does not fit into any batch
        padded_tokens = lengths[index] * (len(batch) + 1)
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

