# %% wrong: own_padding_counts_forward | Counts padding in the forward pass, as it is computed there, and leaves it out of the backward pass alone; the function should count real tokens only, in both.
def utilization(weights, ids, pad_id, seconds, peak):
    rows, longest = ids.shape
    real = sum((row != pad_id).sum().item() for row in ids)
    forward = 2 * weights * rows * longest
    backward = 2 * (2 * weights * real)
    reached = (forward + backward) / seconds
    return reached / peak
# %% wrong: own_tokens_per_sentence | takes the mean number of real tokens in a sentence for the tokens of the batch (sum(dim=1) and then mean), so the share is too small by the number of sentences
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = ids.ne(pad_id).sum(dim=1)
    tokens = lengths.float().mean().item()
    per_second = 6 * weights * tokens / seconds
    return per_second / peak
