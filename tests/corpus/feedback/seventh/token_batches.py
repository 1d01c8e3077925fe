# %% wrong: longest_first_but_padded_to_the_last | TRUE CAUSE: sorted from the longest to the shortest, yet the padded size is still computed with the length of the sentence just added, which is now the shortest of its batch, so batches exceed max_tokens
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1)."""
    by_length = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * (len(batch) + 1)
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: place_found_by_length | TRUE CAUSE: sorts the lengths themselves and finds each place again with lengths.index, so sentences of equal length all become the first of them: places are repeated and others never come
def token_batches(lengths, max_tokens):
    batches = []
    current = []
    for length in sorted(lengths):
        if current and length * (len(current) + 1) > max_tokens:
            batches.append(current)
            current = []
        current.append(lengths.index(length))
    if current:
        batches.append(current)
    return batches


# %% wrong: new_row_not_counted_and_at_the_limit | TRUE CAUSE: two mistakes: the rows are counted without the sentence that is about to be added (len(batch), not len(batch) + 1), and a batch of exactly max_tokens is refused (>= for >)
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = lengths[index] * len(batch)  # this one is the longest so far
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches
