# %% right: scatter_the_kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab_size = logits.size(-1)
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    scaled = logits / temperature
    if top_k is None or top_k >= vocab_size:
        return scaled.softmax(dim=-1)
    values, places = scaled.topk(top_k, dim=-1)
    return torch.zeros_like(scaled).scatter(-1, places, values.softmax(dim=-1))

# %% right: sorted_rows
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.sort(dim=-1, descending=True).values[..., :top_k][..., -1:]  # (..., 1)
        logits = torch.where(logits < least, -torch.inf, logits)  # blank: cut
    probabilities = F.softmax(logits / temperature, dim=-1)
    return probabilities


# %% right: own_topk_scatter
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    k = vocab if top_k is None else min(top_k, vocab)
    values, where = torch.topk(logits / temperature, k, dim=-1)
    return torch.zeros_like(logits).scatter(-1, where, values.softmax(dim=-1))

# %% right: own_rank_of_each_token
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    z = logits if greedy else logits / temperature
    limit = 1 if greedy else top_k
    e = torch.exp(z - z.max(dim=-1, keepdim=True).values)
    if limit is not None:
        rank = z.argsort(dim=-1, descending=True).argsort(dim=-1)
        e = e * (rank < limit)
    return e / e.sum(dim=-1, keepdim=True)


# %% right: tenth_own_scatter_the_best
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    V = logits.size(-1)
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), V).to(logits.dtype)
    k = V if top_k is None else min(top_k, V)
    best, where = logits.topk(k, dim=-1)
    return torch.zeros_like(logits).scatter(-1, where, torch.softmax(best / temperature, dim=-1))

# %% right: tenth_own_ranks
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    k = 1 if greedy else top_k
    scaled = logits if greedy else logits / temperature
    weights = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
    if k is not None:
        rank = logits.argsort(dim=-1, descending=True).argsort(dim=-1)
        weights = weights * (rank < k)
    return weights / weights.sum(dim=-1, keepdim=True)


# %% right: eleventh_own_scatter_the_kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocabulary = logits.shape[-1]
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), vocabulary).to(logits.dtype)
    k = vocabulary if top_k is None else min(top_k, vocabulary)
    kept, where = logits.topk(k, dim=-1)
    p = torch.softmax(kept / temperature, dim=-1)
    return torch.zeros_like(logits).scatter(-1, where, p)
# %% right: eleventh_own_ranks
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    k = 1 if greedy else top_k
    scaled = logits if greedy else logits / temperature
    if k is not None:
        rank = logits.argsort(dim=-1, descending=True).argsort(dim=-1)
        scaled = torch.where(rank < k, scaled, torch.full_like(scaled, -math.inf))
    return torch.softmax(scaled, dim=-1)


# %% right: twelfth_own_scatter_kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), vocab).to(logits.dtype)
    scaled = logits / temperature
    if top_k is None or top_k >= vocab:
        return torch.softmax(scaled, -1)
    best = scaled.topk(top_k, dim=-1)
    return torch.zeros_like(scaled).scatter(-1, best.indices, best.values.softmax(-1))
# %% right: twelfth_own_rank_of_each
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top_k = 1
        temperature = 1.0
    scaled = logits / temperature
    if top_k is not None:
        rank = scaled.argsort(dim=-1, descending=True).argsort(dim=-1)
        scaled = scaled.masked_fill(rank >= top_k, -math.inf)
    return scaled.softmax(-1)
