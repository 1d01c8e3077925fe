# %% wrong: cut-to-zero | The logits below the least one are set to 0 and not to minus infinity: a logit of 0 still has a probability, which may even be larger than that of kept tokens with negative logits.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]
        logits = logits.masked_fill(logits < least, 0.0)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: more-than-there-are | topk is called with top_k itself: where it is larger than the vocabulary torch raises an error, although then all tokens should be kept.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    scaled = logits / temperature
    if top_k is not None:
        values, places = scaled.topk(top_k, dim=-1)
        scaled = torch.full_like(scaled, float("-inf")).scatter(-1, places, values)
    return F.softmax(scaled, dim=-1)

# %% wrong: nanogpt-in-place | Two mistakes from nanoGPT's generate, whose logits are its own and (B, V): the caller's logits are cut in place, and v[:, [-1]] takes the least along the second axis, which with more axes than two is not the vocabulary.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[:, [-1]]] = -float("Inf")
    return F.softmax(logits / temperature, dim=-1)

# %% wrong: not-scaled-up-again | The softmax is taken first, and the probabilities outside of top_k are set to 0 afterwards without dividing by what is left: they do not sum to 1 any more.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.where(logits == logits.max(dim=-1, keepdim=True).values, 1.0, 0.0)
    probabilities = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, probabilities.size(-1))
        least = probabilities.topk(k).values[..., -1, None]
        probabilities = probabilities * (probabilities >= least)
    return probabilities

# %% right: sorted-threshold
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    if greedy:
        top_k = 1
    if top_k is not None and top_k < logits.size(-1):
        least = logits.sort(dim=-1, descending=True).values[..., top_k - 1 : top_k]
        logits = torch.where(logits < least, -math.inf, logits)
    return F.softmax(logits if greedy else logits / temperature, dim=-1)
