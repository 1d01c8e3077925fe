# %% wrong: others_set_to_zero | TRUE CAUSE: the cut sets the logits below `least` to 0 instead of minus infinity, but a logit of 0 has the weight e^0 = 1 in the softmax, so the tokens that were cut off can still be drawn.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, 0.0)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: least_is_cut_too | TRUE CAUSE: the cut keeps only logits > least instead of >= least, so the top_k-th token itself is removed: top_k - 1 tokens are left, and with top_k=1 or temperature 0 all logits are minus infinity and the result is nan.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        least = logits.topk(k, dim=-1).values.min(dim=-1, keepdim=True).values  # (..., 1)
        logits = torch.where(logits > least, logits, torch.full_like(logits, float("-inf")))
    probabilities = F.softmax(logits / temperature, dim=-1)
    return probabilities

# %% wrong: own_not_renormalized | TRUE CAUSE: top_k is applied to the probabilities after the softmax by setting the others to 0, without dividing by the new sum, so with top_k the rows no longer add up to 1.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        best = logits.argmax(dim=-1)
        return F.one_hot(best, logits.size(-1)).to(logits.dtype)
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return p
    _, keep = p.topk(min(top_k, p.size(-1)), dim=-1)
    allowed = torch.zeros_like(p).scatter(-1, keep, 1.0)
    return p * allowed

# %% wrong: own_cuts_the_callers_logits | TRUE CAUSE: the cut is an indexed assignment into the argument `logits` itself, so with top_k or temperature 0 the caller's tensor is overwritten with minus infinity; the returned probabilities are right.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    V = logits.shape[-1]
    if temperature == 0:
        top_k = 1
    if top_k is not None and top_k < V:
        kth = torch.sort(logits, dim=-1, descending=True).values[..., top_k - 1, None]
        logits[logits < kth] = -math.inf
    scale = temperature if temperature > 0 else 1.0
    e = torch.exp((logits - logits.amax(-1, keepdim=True)) / scale)
    return e / e.sum(-1, keepdim=True)
