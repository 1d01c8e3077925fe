# %% wrong: new_one_not_counted | TRUE CAUSE: the rows of the batch are counted without the sentence that is to be added, so batches are one sentence too large
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
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: full_batch_refused | TRUE CAUSE: a batch that would have exactly max_tokens is taken as too large (>= instead of >), so there are more batches than needed
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
        if batch and padded_tokens >= max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: sum_without_padding | TRUE CAUSE: adds up the true lengths instead of the padded size (longest times rows), so padding is not counted and batches get too large
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


# %% wrong: sorted_downwards | TRUE CAUSE: sorted from long to short, while the length of the newest sentence is still taken as the longest of the batch
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
        if batch and padded_tokens > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: limit_on_sentences | TRUE CAUSE: max_tokens is compared with the number of sentences instead of the padded tokens
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
        if batch and len(batch) + 1 > max_tokens:  # blank: too_many
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: cleared_in_place | TRUE CAUSE: the batch that was put into the list is cleared and used again, so all batches are one and the same list
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


# %% wrong: last_batch_lost | TRUE CAUSE: the batch that is still open after the loop is never added, so the longest sentences are missing
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = []
    batch = []
    for i in order:
        padded_tokens = lengths[i] * (len(batch) + 1)
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = [i]
        else:
            batch.append(i)
    return batches


# %% wrong: lengths_in_place_of_indices | TRUE CAUSE: the lengths themselves are sorted and put into batches instead of their places in the list
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1)."""
    batches, batch = [], []
    for length in sorted(lengths):
        if batch and length * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(length)
    if batch:
        batches.append(batch)
    return batches


# %% wrong: empty_batch_and_unsorted | TRUE CAUSE: two mistakes: the sentences are not sorted by length (the key is the place itself, though the longest so far is tracked), and an empty batch is added where the very first sentence is too long, or there is none
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: index)
    batches, batch, longest = [], [], 0
    for index in by_length:
        longest = max(longest, lengths[index])
        if longest * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch, longest = [], lengths[index]
        batch.append(index)
    batches.append(batch)
    return batches
