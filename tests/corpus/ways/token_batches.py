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
# %% right: field_is_batch_full
def _is_batch_full(num_sentences, num_tokens, max_tokens):
    if num_sentences == 0:
        return False
    return num_tokens > max_tokens
def token_batches(lengths, max_tokens):
    import numpy as np
    indices = np.argsort(np.asarray(lengths), kind="mergesort")
    sample_len, batch, batches = 0, [], []
    for idx in indices:
        idx = int(idx)
        sample_len = max(sample_len, lengths[idx])
        if _is_batch_full(len(batch), (len(batch) + 1) * sample_len, max_tokens):
            batches.append(batch)
            batch, sample_len = [], lengths[idx]
        batch.append(idx)
    if len(batch) > 0:
        batches.append(batch)
    return batches
# %% right: field_pool_sorted_and_batches_shuffled
def token_batches(lengths, max_tokens):
    import random
    def batch_size_fn(new, count, sofar):
        return max(sofar, new) * count
    batches, minibatch, sofar = [], [], 0
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if minibatch and batch_size_fn(lengths[i], len(minibatch) + 1, sofar) > max_tokens:
            batches.append(minibatch)
            minibatch, sofar = [], 0
        minibatch.append(i)
        sofar = max(sofar, lengths[i])
    if minibatch:
        batches.append(minibatch)
    random.shuffle(batches)
    return batches
