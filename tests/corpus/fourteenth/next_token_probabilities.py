# %% wrong: top_k_beyond_the_vocabulary | topk gets top_k as it is. If top_k is larger than the vocabulary, topk raises an error; the text says that all tokens are kept then.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(top_k, dim=-1).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities
# %% wrong: cut_logits_become_zero | The logits that are cut are set to 0 instead of minus infinity. A logit of 0 has a probability above 0 after the softmax, so tokens outside the top_k can be drawn.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, 0.0)
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities
# %% wrong: own_not_normalized_again | The softmax is taken over all tokens, and the probabilities outside the top_k are set to 0 afterwards. What is left no longer adds up to 1 (0.64 and 0.24 instead of 0.73 and 0.27).
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    size = logits.size(-1)
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), size).to(logits.dtype)
    probabilities = F.softmax(logits / temperature, dim=-1)
    if top_k is None or top_k >= size:
        return probabilities
    likeliest = probabilities.topk(top_k, dim=-1)
    cut = torch.zeros_like(probabilities)
    return cut.scatter(-1, likeliest.indices, likeliest.values)
# %% wrong: own_softmax_over_axis_one | The softmax goes over axis 1, as if logits were always (N, V). With three axes that is the position, and with one axis there is none; the vocabulary is the last axis.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    k = logits.size(-1) if top_k is None else min(top_k, logits.size(-1))
    if temperature == 0:
        k, temperature = 1, 1.0
    values, places = logits.topk(k, dim=-1)
    kept = torch.full_like(logits, -math.inf).scatter(-1, places, values)
    return torch.softmax(kept / temperature, dim=1)
