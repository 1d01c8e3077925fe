# %% wrong: own_one_hot_of_whole_numbers | At temperature 0 the result is that of F.one_hot, which is int64: these are no probabilities of the logits' dtype, and torch.multinomial refuses to draw from them.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocabulary = logits.shape[-1]
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), num_classes=vocabulary)
    scaled = logits / temperature
    if top_k is not None and top_k < vocabulary:
        values, places = scaled.topk(top_k, dim=-1)
        scaled = torch.full_like(scaled, -math.inf).scatter(-1, places, values)
    return scaled.softmax(dim=-1)
# %% wrong: own_renormalised_over_all | after the cut the kept probabilities are divided by their sum over all rows (sum without dim), so with several rows each row sums to less than 1
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), vocab).to(logits.dtype)
    p = torch.softmax(logits / temperature, -1)
    if top_k is None or top_k >= vocab:
        return p
    best = p.topk(top_k, dim=-1)
    kept = torch.zeros_like(p).scatter(-1, best.indices, best.values)
    return kept / kept.sum()
# %% wrong: own_cuts_the_callers_logits | at temperature 1 (and 0) the logits are not copied by a division, and scatter_ writes -inf into the caller's own tensor
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top_k = 1
    elif temperature != 1:
        logits = logits / temperature
    if top_k is not None:
        order = logits.argsort(dim=-1, descending=True)
        logits.scatter_(-1, order[..., top_k:], -math.inf)
    return logits.softmax(-1)

# %% wrong: nanogpt-in-place | Two mistakes from nanoGPT's generate, whose logits are its own and (B, V): the caller's logits are cut in place, and v[:, [-1]] takes the least along the second axis, which with more axes than two is not the vocabulary.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[:, [-1]]] = -float("Inf")
    return F.softmax(logits / temperature, dim=-1)
