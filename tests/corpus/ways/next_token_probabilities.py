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
# %% right: own_topk_scatter
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    vocab = logits.shape[-1]
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    k = vocab if top_k is None else min(top_k, vocab)
    values, where = torch.topk(logits / temperature, k, dim=-1)
    return torch.zeros_like(logits).scatter(-1, where, values.softmax(dim=-1))
# %% right: field_top_k_by_the_last_value
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.clone()
        logits[logits < v[..., [-1]]] = -float("Inf")
    return F.softmax(logits, dim=-1)
# %% right: field_logits_cropped_to_the_top_k
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[..., [-1]]] = -float("Inf")
    return F.softmax(logits, dim=-1)
# %% right: field_temperature_not_below_1e_5
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    logits = logits / max(temperature, 1e-5)
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        pivot = v.select(-1, -1).unsqueeze(-1)
        logits = torch.where(logits < pivot, -float("Inf"), logits)
    return torch.nn.functional.softmax(logits, dim=-1)
# %% right: field_scattered_back
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    k = logits.size(-1) if top_k is None else min(top_k, logits.size(-1))
    val, ind = torch.topk(logits, k)
    probs = torch.full_like(logits, float("-inf"))
    probs.scatter_(-1, ind, val)
    return F.softmax(probs / temperature, dim=-1)
