# %% wrong: sum_without_padding | TRUE CAUSE: padded_tokens is the sum of the sentences' own lengths, not the longest length times the rows, so the padding is not counted and a batch's rectangle can be larger than max_tokens
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
    by_length = sorted(range(len(lengths)), key=lambda index: lengths[index])
    batches, batch = [], []
    for index in by_length:
        padded_tokens = sum(lengths[other] for other in batch) + lengths[index]
        if batch and padded_tokens > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first_width_of_the_last | TRUE CAUSE: sorts from long to short, but still takes the length of the current sentence, now the shortest of the batch, for its width, so batches can be larger than max_tokens
def token_batches(lengths, max_tokens):
    """Group sentences, given by their lengths, into batches of at most max_tokens (5.1).

    Each batch is a list of indices. Sentences of about the same length share one, so that
    little of it is padding: its longest sentence times its rows is at most max_tokens.
    A sentence longer than that gets a batch of its own. There are no more batches than needed.
    """
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

# %% wrong: own_place_looked_up_by_length | TRUE CAUSE: finds the place of each sorted length by lengths.index, which always returns the first one, so of several sentences with the same length the first is in the batches several times and the others never
def token_batches(lengths, max_tokens):
    groups = []
    current = []
    for size in sorted(lengths):
        if len(current) > 0 and (len(current) + 1) * size > max_tokens:
            groups.append(current)
            current = []
        current.append(lengths.index(size))
    if len(current) > 0:
        groups.append(current)
    return groups

# %% wrong: own_starts_with_an_empty_batch | TRUE CAUSE: begins with one empty batch and opens a new one without asking whether the last is empty, so the result has an empty batch where there are no sentences or where even the shortest one is longer than max_tokens
def token_batches(lengths, max_tokens):
    batches = [[]]
    for length, place in sorted((length, place) for place, length in enumerate(lengths)):
        rows = len(batches[-1]) + 1
        if rows * length > max_tokens:
            batches.append([])
        batches[-1].append(place)
    return batches
