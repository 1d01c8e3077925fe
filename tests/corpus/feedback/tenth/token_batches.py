# %% wrong: exact_fit_refused | TRUE CAUSE: The blank `too_many` is `padded_tokens >= max_tokens`, so a batch of exactly max_tokens, which is allowed, is cut and there are more batches than needed.
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
        if batch and padded_tokens >= max_tokens:
            batches.append(batch)
            batch = []
        batch.append(index)
    if batch:
        batches.append(batch)
    return batches

# %% wrong: longest_first_but_counts_the_shortest | TRUE CAUSE: The sentences are sorted longest first, but `padded_tokens` still multiplies the rows by the length of the sentence that is added, now the shortest of the batch, so the batch's longest times its rows exceeds max_tokens.
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

# %% wrong: own_real_tokens_not_padded | TRUE CAUSE: The batch's size is counted as the sum of the real lengths (`filled + n`) and not as its longest times its rows, so with its padding a batch can exceed max_tokens.
def token_batches(lengths, max_tokens):
    order = torch.tensor(lengths).argsort().tolist() if lengths else []
    groups, filled = [], 0
    for i in order:
        n = lengths[i]
        if not groups or filled + n > max_tokens:
            groups.append([])
            filled = 0
        groups[-1].append(i)
        filled += n
    return groups

# %% wrong: own_places_looked_up_by_length | TRUE CAUSE: The lengths are sorted and their places looked up with `lengths.index(length)`, which always finds the first sentence of that length, so of several equally long sentences one comes again and again and the others never.
def token_batches(lengths, max_tokens):
    """Group sentences into batches of at most max_tokens."""
    todo = sorted(lengths)
    batches = []
    while todo:
        rows = 1
        while rows < len(todo) and (rows + 1) * todo[rows] <= max_tokens:
            rows += 1
        batches.append([lengths.index(length) for length in todo[:rows]])
        todo = todo[rows:]
    return batches
