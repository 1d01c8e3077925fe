# %% wrong: new_one_not_counted | TRUE CAUSE: The rows are counted without the sentence that is about to join, so batches get one row too many.
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
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: full_batch_refused | TRUE CAUSE: A batch that would come to exactly max_tokens is refused (>= instead of >), so there are more batches than needed.
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: (lengths[index], index))
    batches, batch = [], []
    for index in by_length:
        padded_tokens = max(lengths[one] for one in [*batch, index]) * len([*batch, index])  # this one is the longest so far
        if batch and not padded_tokens < max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: equal_lengths_only | TRUE CAUSE: Only sentences of exactly the same length share a batch, so there are far more batches than needed.
from collections import defaultdict


def token_batches(lengths, max_tokens):
    groups = defaultdict(list)
    for index, length in enumerate(lengths):
        groups[length].append(index)
    batches = []
    for length in sorted(groups):
        rows = max(1, max_tokens // max(length, 1))
        group = groups[length]
        for start in range(0, len(group), rows):
            batches.append(group[start : start + rows])
    return batches

# %% wrong: lengths_and_no_last_batch | TRUE CAUSE: Two mistakes: the batches hold the lengths of the sentences instead of their places; and the last batch is never appended.
def token_batches(lengths, max_tokens):
    """Fill a batch until the next sentence would not fit."""
    batches = []
    batch = []
    for length in sorted(lengths):
        if batch and length * (len(batch) + 1) > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(length)
    return batches
