# %% wrong: top_k_beyond_vocabulary | TRUE CAUSE: asks topk for top_k logits without limiting it to the size of the vocabulary, which fails where top_k is larger
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


# %% wrong: cut_logits_are_zero | TRUE CAUSE: logits that are cut become 0 instead of minus infinity, so their tokens can still be drawn
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., -1:]  # (..., 1)
        logits = torch.where(logits >= least, logits, 0.0)  # blank: cut
    probabilities = torch.softmax(logits / temperature, dim=-1)
    return probabilities


# %% wrong: cut_after_softmax | TRUE CAUSE: the probabilities of the other tokens are set to 0 after the softmax, and the rest is not made to sum to 1 again
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn."""
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probabilities = (logits / temperature).softmax(dim=-1)
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        least = logits.topk(k).values[..., -1:]  # (..., 1)
        probabilities = probabilities.masked_fill(logits < least, 0.0)
    return probabilities
