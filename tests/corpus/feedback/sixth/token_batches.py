# %% wrong: this_sentence_not_counted | TRUE CAUSE: the padded size is the length times the rows that are already in the batch, without the new sentence, so batches get one row too many
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


# %% wrong: sums_the_lengths | TRUE CAUSE: the real tokens of the batch are added up instead of longest sentence times rows: padding is not counted, so padded batches go over max_tokens
def token_batches(lengths, max_tokens):
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch, used = [], [], 0
    for index in by_length:
        if batch and used + lengths[index] > max_tokens:
            batches.append(batch)
            batch, used = [], 0
        batch.append(index)
        used += lengths[index]
    if batch:
        batches.append(batch)
    return batches


# %% wrong: longest_first_but_newest_counts | TRUE CAUSE: sorted with the longest first, but the newest sentence is still taken for the longest of its batch: the first one is, so batches are larger than max_tokens
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index], reverse=True)
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
