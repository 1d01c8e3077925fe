# %% wrong: sum_of_lengths | TRUE CAUSE: padded_tokens is the sum of the real lengths, without the padding, instead of the longest sentence times the number of rows, so padded batches exceed max_tokens
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
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first | TRUE CAUSE: the sentences are sorted from longest to shortest, but padded_tokens still multiplies the length of the newest sentence, which is then the shortest of its batch, so the longest times the rows exceeds max_tokens
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
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: own_sorted_enumerate | TRUE CAUSE: sorted(enumerate(lengths)) orders the (index, length) pairs by index, not by length, so the sentences stay in their original order; each batch keeps to max_tokens, but lengths are mixed and there are more batches than needed
def token_batches(lengths, max_tokens):
    groups = []
    longest = 0
    for index, length in sorted(enumerate(lengths)):
        if groups and max(longest, length) * (len(groups[-1]) + 1) <= max_tokens:
            groups[-1].append(index)
            longest = max(longest, length)
        else:
            groups.append([index])
            longest = length
    return groups

# %% wrong: own_one_length_per_batch | TRUE CAUSE: sentences share a batch only if their lengths are exactly equal (a dict from length to places, cut into chunks), although sentences of about the same length should, so there are more batches than needed
def token_batches(lengths, max_tokens):
    same = {}
    for place, length in enumerate(lengths):
        same.setdefault(length, []).append(place)
    batches = []
    for length in sorted(same):
        places = same[length]
        rows = max(1, max_tokens // length)
        batches += [places[start : start + rows] for start in range(0, len(places), rows)]
    return batches
