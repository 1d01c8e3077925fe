# %% wrong: cut_logits_set_to_zero | TRUE CAUSE: the logits that are cut are set to 0 instead of minus infinity, so they still get probability exp(0) in the softmax
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits * (logits >= least)
    probabilities = F.softmax(logits / temperature, dim=-1)
    return probabilities
# %% wrong: least_of_all_rows | TRUE CAUSE: least is the minimum over the top_k logits of all rows together instead of one per row, so rows with higher logits keep more than top_k tokens
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.shape[-1]), dim=-1).values.min()  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities
# %% wrong: own_not_renormalized | TRUE CAUSE: the softmax is taken over all tokens and the unlikely probabilities are zeroed afterwards without dividing by what is left, so with top_k the probabilities do not sum to 1
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocabulary = logits.shape[-1]
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), vocabulary).to(logits.dtype)
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is None or top_k >= vocabulary:
        return p
    kept, where = p.topk(top_k, dim=-1)
    return torch.zeros_like(p).scatter(-1, where, kept)
# %% wrong: own_cuts_in_the_callers_logits | TRUE CAUSE: masked_fill_ writes minus infinity into the logits that were passed in, so the caller's tensor is changed (the returned probabilities are right)
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    k = 1 if greedy else top_k
    if k is not None and k < logits.size(-1):
        order = logits.argsort(dim=-1, descending=True)
        rank = order.argsort(dim=-1)
        logits.masked_fill_(rank >= k, -math.inf)
    return torch.softmax(logits if greedy else logits / temperature, dim=-1)
