# %% wrong: cut-without-new-sum | The softmax comes first and the unlikely probabilities are set to 0 afterwards, but the rest is not divided by its sum, so the probabilities sum to less than 1 (0.64 and 0.24 for 0.73 and 0.27).
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)
    probabilities = F.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        values, indices = probabilities.topk(min(top_k, logits.size(-1)), dim=-1)
        probabilities = torch.zeros_like(probabilities).scatter(-1, indices, values)
    return probabilities

# %% wrong: power-of-temperature | The probabilities are raised to the power of the temperature instead of 1 over the temperature, so a low one makes the tokens more alike and a high one sharper.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    kept = logits.softmax(dim=-1)
    if top_k is not None and top_k < logits.size(-1):
        ranks = logits.argsort(dim=-1, descending=True).argsort(dim=-1)
        kept = kept * (ranks < top_k)
    kept = kept**temperature
    return kept / kept.sum(dim=-1, keepdim=True)

# %% wrong: nanogpt-threshold-row | The thresholds are picked with v[:, [-1]], which is the last axis only for logits of two axes; for (N, T, V) it picks the last position, whose largest logit then is the threshold of all positions of its text, and with one axis it is an error.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < v[:, [-1]].amin(-1, keepdim=True), -float("Inf"))
    return F.softmax(logits, dim=-1)

# %% wrong: one-threshold-for-all | The top k are looked for among the logits of all rows together, so one threshold serves all of them; each row keeps its own top_k.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        rows = logits.numel() // logits.size(-1)
        threshold = logits.flatten().sort(descending=True).values[k * rows - 1]
        logits = logits.masked_fill(logits < threshold, torch.finfo(logits.dtype).min)
    return torch.exp(F.log_softmax(logits / temperature, dim=-1))

# %% wrong: top-k-off-at-temperature | The temperature is taken for an alternative to top_k, in an elif, so with both given the kept logits are not divided by it.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    def filtered(scores, k):
        smallest = torch.topk(scores, min(k, scores.shape[-1]), dim=-1)[0][..., -1, None]
        return scores.masked_fill(scores < smallest, -float("inf"))
    if temperature == 0:
        logits = filtered(logits, 1)
    elif top_k is not None:
        logits = filtered(logits, top_k)
    else:
        logits = logits / temperature
    return nn.functional.softmax(logits, dim=-1)

# %% right: scatter-back
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    size = logits.shape[-1]
    values, places = logits.topk(size if top_k is None else min(top_k, size), dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, F.softmax(values / temperature, dim=-1))

# %% right: renormalized
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocabulary = logits.size(-1)
    keep = vocabulary if top_k is None else min(max(top_k, 1), vocabulary)
    if temperature == 0:
        keep, temperature = 1, 1.0
    ordered, _ = torch.sort(logits, dim=-1)
    least = ordered.narrow(-1, vocabulary - keep, 1)
    scaled = (logits - logits.amax(dim=-1, keepdim=True)) / temperature
    unnormalized = torch.where(logits >= least, scaled.exp(), torch.zeros_like(scaled))
    return unnormalized / unnormalized.sum(dim=-1, keepdim=True)
