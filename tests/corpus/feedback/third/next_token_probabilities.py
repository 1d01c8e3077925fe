# %% wrong: top_k_beyond_vocabulary | TRUE CAUSE: top_k is not limited to the size of the vocabulary: topk refuses a larger one.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(top_k).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities


# %% wrong: least_of_all_rows | TRUE CAUSE: The smallest of the kept logits is taken over all rows together, not in each row: rows with larger logits keep more than top_k.
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


# %% wrong: kth_is_cut_too | TRUE CAUSE: Cuts what is less than or equal to the least of the kept: only top_k - 1 tokens are left (none with top_k of 1).
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits <= least, float("-inf"))  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities


# %% wrong: cut_to_zero | TRUE CAUSE: The logits that are cut become 0 instead of minus infinity: their tokens can still be drawn.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, 0.0)  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities


# %% wrong: multiplied_by_temperature | TRUE CAUSE: Multiplies by the temperature instead of dividing: below 1 the distribution gets flatter.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))  # blank: cut
    probabilities = (logits * temperature).softmax(dim=-1)
    return probabilities


# %% wrong: not_normalized_again | TRUE CAUSE: The softmax is taken first, then all but the top_k probabilities are set to 0 and not brought to a sum of 1 again.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probabilities = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        best = probabilities.topk(min(top_k, logits.size(-1)), dim=-1)
        probabilities = torch.zeros_like(probabilities).scatter(-1, best.indices, best.values)
    return probabilities


# %% wrong: callers_logits_changed | TRUE CAUSE: masked_fill_ works in place: the caller's logits are overwritten with minus infinity.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        least = torch.topk(logits, k, dim=-1).values[..., -1].unsqueeze(-1)
        logits.masked_fill_(logits < least, float("-inf"))
    return torch.softmax(logits / temperature, dim=-1)


# %% wrong: wrong_axis_temperature_lost | TRUE CAUSE: two mistakes: the softmax runs over axis 1 instead of the last one (right for (N, V) only), and with top_k the temperature is not applied.
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn."""
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]
        logits = torch.where(logits < least, float("-inf"), logits)
    else:
        logits = logits / temperature
    return logits.softmax(dim=1)
