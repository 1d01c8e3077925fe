# %% wrong: sums_real_lengths | TRUE CAUSE: counts the real tokens of a batch (the sum of the lengths) against the limit, not the padded size, longest length times rows
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = sum(lengths[i] for i in batch) + lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: clears_the_appended_list | TRUE CAUSE: the full batch is emptied in place with clear() after it was appended, so all entries of batches are one and the same list, and earlier sentences are lost
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1)."""
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        rows = len(batch) + 1
        padded_tokens = rows * lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch.clear()
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: longest_first_and_strict_limit | TRUE CAUSE: two mistakes: sorts the longest first while the newest sentence is still taken for the longest of its batch, so batches get too large, and a batch of exactly max_tokens is already refused (>=)
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)  # this one is the longest so far
        if batch and padded_tokens >= max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
