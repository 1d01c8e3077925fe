# %% wrong: cut-to-zero | The logits that are cut become 0 instead of minus infinity: a logit of 0 is no probability of 0, and such tokens can still be drawn.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1)), dim=-1).values[..., -1:]
        logits = logits.masked_fill(logits < least, 0.0)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: cuts-the-callers-logits | In the manner of nanoGPT: the small logits are overwritten in place, and before anything has made a copy, so the caller's tensor is changed (lesson 00: a part changes nothing in place).
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[..., [-1]]] = -float("Inf")
    probs = F.softmax(logits / temperature, dim=-1)
    return probs

# %% wrong: kth-smallest | `kthvalue` finds the k-th smallest logit, not the k-th largest: only the top_k - 1 least likely tokens are cut off, and at temperature 0 none at all.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        least, _ = logits.kthvalue(k, dim=-1, keepdim=True)
        logits = torch.where(logits >= least, logits, float("-inf"))
    return F.softmax(logits / temperature, dim=-1)

# %% wrong: not-renormalized | The softmax comes first and the cut after it: the probabilities that are left do not sum to 1 any more; at temperature 0 the likeliest token gets its plain probability, not 1.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probs = (logits / temperature).softmax(dim=-1)
    if top_k is None:
        return probs
    kept, places = probs.topk(min(top_k, probs.shape[-1]), dim=-1)
    return torch.zeros_like(probs).scatter(-1, places, kept)

# %% wrong: one-threshold-for-all-rows | The threshold is the smallest of the top_k logits of all rows together, one number, instead of each row's own: rows with larger logits keep too many tokens.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    greedy = temperature == 0
    if greedy:
        temperature, top_k = 1.0, 1
    scaled = logits / temperature
    if top_k is not None:
        best = torch.topk(scaled, k=min(top_k, scaled.size(-1)), dim=-1)
        scaled = scaled.masked_fill(scaled < best.values.min(), float("-inf"))
    return torch.softmax(scaled, dim=-1)

# %% right: sorted
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    kept = 1 if temperature == 0 else top_k
    divided = logits if temperature == 0 else logits / temperature
    if kept is not None and kept < divided.size(-1):
        ranked = divided.sort(dim=-1, descending=True).values
        divided = torch.where(divided < ranked[..., kept - 1 : kept], -torch.inf, divided)
    return F.softmax(divided, dim=-1)
