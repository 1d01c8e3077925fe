# %% wrong: cut-to-zero | Logits below the least one that is kept are set to 0 instead of minus infinity; e to the 0 is 1, so they keep a probability, and can even become the likeliest.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]
        logits = logits * (logits >= least)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: nanogpt-two-axes-only | The least logit is picked with v[:, [-1]], on the second axis, as in nanoGPT, where logits are (N, V); with more or fewer axes that is not the vocabulary, which is the last one.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top_k = 1
    else:
        logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = torch.where(logits < v[:, [-1]], -float("Inf"), logits)
    probs = F.softmax(logits, dim=-1)
    return probs

# %% wrong: not-normalized-again | The softmax is taken over all tokens and the unlikely ones are set to 0 afterwards; so the probabilities that are left no longer sum to 1.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    kept = 1 if greedy else top_k
    probabilities = torch.softmax(logits if greedy else logits / temperature, dim=-1)
    if kept is not None:
        largest = probabilities.sort(dim=-1, descending=True).values[..., :kept]
        probabilities = probabilities * (probabilities >= largest[..., -1:])
    return probabilities

# %% wrong: kth-smallest | torch.kthvalue finds the k-th smallest value, not the k-th largest; so only the least likely top_k - 1 tokens are cut off and all others kept.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    scores = logits / temperature
    if top_k is not None:
        k = min(top_k, scores.size(-1))
        least = torch.kthvalue(scores, k, dim=-1, keepdim=True).values
        scores = scores.masked_fill(scores < least, float("-inf"))
    return F.softmax(scores, dim=-1)

# %% wrong: labml-only-the-kept-ones | The probabilities of the kept tokens alone are returned, (..., top_k), in the order of their size, instead of (..., V) with zeros elsewhere; so a drawn number is a rank, not a token.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        values, _ = torch.topk(logits, k=min(top_k, logits.shape[-1]), dim=-1)
        logits = values
    return torch.softmax(logits / temperature, dim=-1)

# %% wrong: times-temperature | The logits are multiplied by the temperature instead of divided by it; so a high temperature makes likely tokens likelier still, and a low one evens them out.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]
        logits = logits.masked_fill(logits < least, -math.inf)
    probabilities = F.softmax(logits * temperature, dim=-1)
    return probabilities

# %% right: exponentials-by-hand
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocabulary = logits.size(-1)
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), vocabulary).to(logits.dtype)
    ordered = logits.sort(dim=-1, descending=True).values
    keep = vocabulary if top_k is None else min(top_k, vocabulary)
    kept = logits >= ordered[..., keep - 1 : keep]
    powers = ((logits - ordered[..., :1]) / temperature).exp() * kept
    return powers / powers.sum(dim=-1, keepdim=True)
