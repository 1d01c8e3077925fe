# %% wrong: one-threshold-for-all-rows | The smallest kept logit is taken over the whole tensor (min without an axis), one number for all rows, so a row keeps more than its top_k tokens. Each row has its own: the last of its topk, on the last axis.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        kept = min(top_k, logits.size(-1))
        least = logits.topk(kept, dim=-1).values.min()
        logits = torch.where(logits >= least, logits, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: cut-to-zero | The logits that are cut off are set to 0 and not to minus infinity. A logit of 0 is no probability of 0: e^0 = 1 still has a share in the softmax, often a larger one than before.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]
        logits = logits.masked_fill(logits < least, 0.0)
    probabilities = F.softmax(logits / temperature, dim=-1)
    return probabilities

# %% wrong: kept-but-not-renormalized | The softmax is taken over the whole vocabulary, and then all but the top_k probabilities are set to 0. What is left is not divided by its sum, so the probabilities sum to less than 1 (with temperature 0 the likeliest token is not certain).
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    shares = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return shares
    best, places = shares.topk(min(top_k, shares.size(-1)), dim=-1)
    return torch.zeros_like(shares).scatter(-1, places, best)

# %% wrong: nanogpt-two-axes | The smallest kept logit is indexed as v[:, [-1]], which fits (N, V) only. With another number of axes before the last, (V,) or (N, T, V), axis 1 is not the vocabulary, and it fails or takes the last position's; it has to be v[..., [-1]].
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < v[:, [-1]], -float("Inf"))
    probs = F.softmax(logits, dim=-1)
    return probs

# %% wrong: power-of-temperature | The probabilities are raised to the power of the temperature and divided by their sum, which is a softmax of logits times temperature. They have to be raised to 1/temperature: here a high temperature makes likely tokens likelier still.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    logits = logits - logits.amax(dim=-1, keepdim=True)
    weights = logits.exp() ** temperature
    if top_k is not None and top_k < logits.size(-1):
        least = logits.topk(top_k, dim=-1).values[..., -1:]
        weights = weights * (logits >= least)
    return weights / weights.sum(dim=-1, keepdim=True)

# %% right: softmax-of-the-best
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    size = logits.size(-1)
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), size).to(logits.dtype)
    best, places = logits.topk(size if top_k is None else min(top_k, size), dim=-1)
    shares = torch.softmax(best / temperature, dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, shares)

# %% right: ranks
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    k = 1 if greedy else top_k
    scores = logits if greedy else logits / temperature
    if k is not None:
        rank = scores.argsort(dim=-1, descending=True).argsort(dim=-1)
        scores = scores.masked_fill(rank >= k, -math.inf)
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()
