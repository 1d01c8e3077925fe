# %% wrong: one_least_for_all_rows | TRUE CAUSE: least is the smallest of the kept logits of all rows together (min without an axis), so rows with larger logits keep more than top_k tokens
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values.min()  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities


# %% wrong: cut_after_the_softmax | TRUE CAUSE: the tokens beyond top_k are set to 0 after the softmax, so what is left does not sum to 1
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn."""
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probabilities = F.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        least = probabilities.topk(k, dim=-1).values[..., -1:]
        probabilities = torch.where(probabilities >= least, probabilities, 0.0)
    return probabilities


# %% wrong: large_top_k_and_divided_late | TRUE CAUSE: two mistakes: a top_k larger than the vocabulary is passed on to topk, which raises an error, and the probabilities are divided by the temperature after the softmax, not the logits before it
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(top_k).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, -torch.inf)
    probabilities = logits.softmax(dim=-1) / temperature
    return probabilities
