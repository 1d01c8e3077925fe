# %% wrong: least_is_the_first | TRUE CAUSE: topk sorts from the largest down, and least takes its first value, the largest, so only one token is kept for any top_k
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., :1]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities
# %% wrong: top_k_limited_by_rows | TRUE CAUSE: top_k is limited to len(logits), the number of rows, instead of the size of the vocabulary, so with fewer rows than top_k too few tokens are kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, len(logits))).values[..., -1:]  # (..., 1)
        logits = torch.where(logits >= least, logits, float("-inf"))
    probabilities = F.softmax(logits / temperature, dim=-1)
    return probabilities
# %% wrong: own_renormalised_over_all | TRUE CAUSE: after the cut the kept probabilities are divided by their sum over all rows (sum without dim), so with several rows each row sums to less than 1
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
# %% wrong: own_cuts_the_callers_logits | TRUE CAUSE: at temperature 1 (and 0) the logits are not copied by a division, and scatter_ writes -inf into the caller's own tensor
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top_k = 1
    elif temperature != 1:
        logits = logits / temperature
    if top_k is not None:
        order = logits.argsort(dim=-1, descending=True)
        logits.scatter_(-1, order[..., top_k:], -math.inf)
    return logits.softmax(-1)
