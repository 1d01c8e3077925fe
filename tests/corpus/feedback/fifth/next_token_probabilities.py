# %% wrong: least_of_all_rows | TRUE CAUSE: least is one number, the smallest kept logit of all rows together, instead of one for each row: rows with larger logits keep more than top_k tokens
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values.min()  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: clamped_to_the_least | TRUE CAUSE: logits below the least are raised to it (clamp) instead of being removed: the unlikely tokens get the probability of the last one kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.clamp(min=least)  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: logits_cut_in_place | TRUE CAUSE: the cut is written into the caller's logits in place, so they hold -inf afterwards (the probabilities are right)
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        k = min(top_k, logits.shape[-1])
        least = torch.topk(logits, k, dim=-1).values[..., -1:]
        logits[logits < least] = -float("inf")
    return torch.softmax(logits / temperature, dim=-1)

# %% wrong: cut_after_the_softmax | TRUE CAUSE: the unlikely tokens' probabilities are set to 0 after the softmax, and the rest is not made to sum to 1 again (so temperature 0 does not give 1, either)
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn."""
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probabilities = F.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        least = probabilities.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        probabilities = torch.where(probabilities < least, 0.0, probabilities)
    return probabilities

