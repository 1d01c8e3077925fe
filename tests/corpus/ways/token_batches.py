# %% right: from_the_long_end
def token_batches(lengths, max_tokens):
    # from the longest sentence down: the first of a batch decides how wide it is
    left = sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True)
    batches = []
    while left:
        width = lengths[left[0]]
        rows = max(1, max_tokens // width) if width > 0 else len(left)
        batches.append(left[:rows])
        left = left[rows:]
    return batches

# %% right: append_to_the_last
def token_batches(lengths, max_tokens):
    ordered = torch.tensor(lengths, dtype=torch.long).argsort(stable=True).tolist()
    batches = []
    for index in ordered:
        fits = bool(batches) and (len(batches[-1]) + 1) * lengths[index] <= max_tokens
        if fits:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches


# %% right: own_slices_from_the_longest
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    batches = []
    while order:
        rows = max(1, max_tokens // max(1, lengths[order[0]]))
        batches.append(order[:rows])
        order = order[rows:]
    return batches

# %% right: own_pairs_and_last_batch
def token_batches(lengths, max_tokens):
    batches = []
    for length, place in sorted(zip(lengths, range(len(lengths)))):
        if batches and length * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches


# %% right: tenth_own_slices
def token_batches(lengths, max_tokens):
    """Group sentences into batches of at most max_tokens."""
    todo = [place for _, place in sorted((n, place) for place, n in enumerate(lengths))]
    batches, start = [], 0
    while start < len(todo):
        stop = start + 1
        while stop < len(todo) and (stop + 1 - start) * lengths[todo[stop]] <= max_tokens:
            stop += 1
        batches.append(todo[start:stop])
        start = stop
    return batches

# %% right: tenth_own_longest_first
def token_batches(lengths, max_tokens):
    groups = []
    for i in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if groups and lengths[groups[-1][0]] * (len(groups[-1]) + 1) <= max_tokens:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


# %% right: eleventh_own_slices_from_the_longest
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    groups = []
    start = 0
    while start < len(order):
        longest = lengths[order[start]]
        rows = max(1, max_tokens // max(longest, 1))
        groups.append(order[start : start + rows])
        start += rows
    return groups

# %% right: eleventh_own_pairs_and_last_group
def token_batches(lengths, max_tokens):
    def fits(group, length):
        return (len(group) + 1) * length <= max_tokens

    batches = []
    for length, place in sorted((length, place) for place, length in enumerate(lengths)):
        if not batches or not fits(batches[-1], length):
            batches.append([])
        batches[-1].append(place)
    return batches


# %% right: twelfth_own_slices_longest_first
def token_batches(lengths, max_tokens):
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    result = []
    while order:
        longest = max(lengths[order[0]], 1)
        rows = max(max_tokens // longest, 1)
        result.append(order[:rows])
        order = order[rows:]
    return result
# %% right: twelfth_own_two_pointers
def token_batches(lengths, max_tokens):
    pairs = sorted((length, place) for place, length in enumerate(lengths))
    groups = []
    start = 0
    while start < len(pairs):
        end = start + 1
        while end < len(pairs) and pairs[end][0] * (end + 1 - start) <= max_tokens:
            end += 1
        groups.append([place for _, place in pairs[start:end]])
        start = end
    return groups
