# %% wrong: sum_of_lengths | TRUE CAUSE: padded_tokens adds up the true lengths; padding up to the longest sentence is not counted, so a padded batch can exceed max_tokens
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

# %% wrong: full_batch_refused | TRUE CAUSE: too_many is `>=`: a batch of exactly max_tokens, which is allowed, is refused, so there can be more batches than needed
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
        if batch and padded_tokens >= max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: new_row_not_counted | TRUE CAUSE: padded_tokens counts only the rows that are in the batch already, not the one about to be added, so batches grow one row too large
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = len(batch) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first | TRUE CAUSE: sorts from the longest down, but still takes the current sentence as the longest of the batch, which is now the first one: the padded size is underestimated
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = (len(batch) + 1) * lengths[index]  # this one is the longest so far
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: no_sort | TRUE CAUSE: the sentences are taken in the order they came, without sorting by length; the longest of each batch is tracked rightly, but lengths are mixed and batches are more than needed
def token_batches(lengths, max_tokens):
    batches, batch = [], []
    longest = 0
    for index, length in enumerate(lengths):
        new_longest = max(longest, length)
        if batch and new_longest * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
            new_longest = length
        batch.append(index)
        longest = new_longest
    if batch:
        batches.append(batch)
    return batches

# %% wrong: last_batch_lost | TRUE CAUSE: rewritten; after the loop the batch in progress is never appended, so the longest sentences are missing
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = []
    current = []
    for i in order:
        if current and lengths[i] * (len(current) + 1) > max_tokens:
            batches.append(current)
            current = []
        current.append(i)
    return batches

# %% wrong: lengths_and_empty_batch | TRUE CAUSE: two mistakes: the batches hold the lengths, not the places of the sentences; and the loop closes the batch without looking whether it is empty, so a first sentence longer than max_tokens leaves an empty batch
def token_batches(lengths, max_tokens):
    batches = []
    batch = []
    for length in sorted(lengths):
        if (len(batch) + 1) * length > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(length)
    if batch:
        batches.append(batch)
    return batches
