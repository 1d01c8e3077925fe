# %% wrong: top_k_limited_by_first_axis | TRUE CAUSE: top_k is limited by logits.size(0), the number of rows, instead of by the size of the last axis, the vocabulary, so with few rows fewer tokens than top_k are kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(0)), dim=-1).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = torch.softmax(logits / temperature, dim=-1)
    return probabilities

# %% wrong: cut_in_place | TRUE CAUSE: masked_fill_ with the underscore writes minus infinity into the caller's logits, so the tensor that was passed in is changed whenever top_k or temperature 0 is used
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        top_k = min(top_k, logits.shape[-1])
        least = logits.topk(top_k).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill_(logits < least, -torch.inf)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: own_temperature_on_probabilities | TRUE CAUSE: the temperature divides the probabilities after the softmax instead of the logits before it, and the normalization that follows cancels it, so every temperature above 0 gives the same result as 1
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    p = torch.softmax(logits, dim=-1)
    if temperature == 0:
        top_k = 1
    else:
        p = p / temperature
    k = vocab if top_k is None else min(top_k, vocab)
    values, where = torch.topk(p, k, dim=-1)
    p = torch.zeros_like(p).scatter(-1, where, values)
    return p / p.sum(dim=-1, keepdim=True)

# %% wrong: own_greedy_sets_all_rows | TRUE CAUSE: at temperature 0, certain[..., argmax] = 1 indexes the last axis with the likeliest tokens of all rows at once, so each row gets a 1 at the likeliest token of every row and not only at its own
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        certain = torch.zeros_like(logits)
        certain[..., logits.argmax(dim=-1)] = 1.0
        return certain
    scaled = logits / temperature
    if top_k is not None and top_k < scaled.shape[-1]:
        ranked = scaled.sort(dim=-1, descending=True).values
        border = ranked[..., top_k - 1].unsqueeze(-1)
        scaled = torch.where(scaled >= border, scaled, torch.full_like(scaled, -math.inf))
    e = torch.exp(scaled - scaled.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)
