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
# %% right: own_pairs_and_last_batch
def token_batches(lengths, max_tokens):
    batches = []
    for length, place in sorted(zip(lengths, range(len(lengths)))):
        if batches and length * (len(batches[-1]) + 1) <= max_tokens:
            batches[-1].append(place)
        else:
            batches.append([place])
    return batches
# %% right: fourteenth_own_slices_from_the_longest
def token_batches(lengths, max_tokens):
    left = [index for _, index in sorted((length, index) for index, length in enumerate(lengths))]
    batches = []
    while left:
        longest = lengths[left[-1]]  # all rows are padded to this one
        rows = max(1, max_tokens // longest) if longest > 0 else len(left)
        batches.append(left[-rows:])
        del left[-rows:]
    return batches[::-1]
