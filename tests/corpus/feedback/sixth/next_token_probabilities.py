# %% wrong: cut_to_zero | TRUE CAUSE: the logits that are cut off are set to 0 instead of minus infinity: a logit of 0 still has a probability, and even beats negative ones
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


# %% wrong: capped_by_the_first_axis | TRUE CAUSE: top_k is limited by len(logits), the number of rows, instead of by the vocabulary, the last axis: with few rows too few tokens are kept
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, len(logits)), dim=-1).values[..., -1:]  # (..., 1)
        logits = torch.where(logits < least, float("-inf"), logits)  # blank: cut
    probabilities = torch.softmax(logits / temperature, dim=-1)
    return probabilities


# %% wrong: power_of_the_temperature | TRUE CAUSE: the temperature is applied to the probabilities as a power p ** temperature instead of p ** (1 / temperature): a high temperature makes likely tokens likelier, a low one makes all alike
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    probabilities = logits.softmax(dim=-1)
    if top_k is not None:
        top_k = min(top_k, logits.size(-1))
        least = probabilities.topk(top_k, dim=-1).values[..., -1:]
        probabilities = probabilities.masked_fill(probabilities < least, 0.0)
    probabilities = probabilities**temperature
    return probabilities / probabilities.sum(dim=-1, keepdim=True)
