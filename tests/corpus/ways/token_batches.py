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
