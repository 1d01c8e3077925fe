# %% wrong: more_than_the_vocabulary | TRUE CAUSE: top_k is not limited to the size of the vocabulary, so a larger one is an error
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

# %% wrong: largest_for_least | TRUE CAUSE: least is the first of the top_k, the largest logit, so one token is left whatever top_k is
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """Turn logits, (..., V), into the probabilities from which the next token is drawn.

    The logits are divided by the temperature; at 0 the likeliest token is certain. With top_k,
    only the top_k likeliest tokens can be drawn.
    """
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        least = logits.topk(min(top_k, logits.size(-1))).values[..., :1]  # (..., 1)
        logits = logits.masked_fill(logits < least, float("-inf"))  # blank: cut
    probabilities = (logits / temperature).softmax(dim=-1)
    return probabilities

# %% wrong: one_least_for_all_rows | TRUE CAUSE: least is one number for all rows (the smallest kept logit of any), not one for each row: right with one row only
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

# %% wrong: zero_before_softmax | TRUE CAUSE: the cut logits become 0 in place of minus infinity; the softmax gives them probability all the same
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

# %% wrong: cuts_the_least_kept | TRUE CAUSE: the least logit that should be kept is cut, too (<=), so top_k - 1 tokens are left, and none at all at top_k=1 or temperature 0
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

# %% wrong: multiplied_by_temperature | TRUE CAUSE: the logits are multiplied by the temperature: high temperatures make the likely tokens likelier
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    logits = temperature * logits
    if top_k is not None:
        k = min(top_k, logits.size(-1))
        least = logits.topk(k).values[..., -1].unsqueeze(-1)
        logits = torch.where(logits >= least, logits, -math.inf)
    return logits.softmax(dim=-1)

# %% wrong: cut_after_the_softmax | TRUE CAUSE: the probabilities outside the top_k are set to 0 after the softmax, and not divided by their sum again: they add up to less than 1
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1)).to(logits.dtype)
    probabilities = (logits / temperature).softmax(dim=-1)
    if top_k is not None:
        top_k = min(top_k, logits.size(-1))
        least = probabilities.topk(top_k).values[..., -1:]
        probabilities = probabilities.masked_fill(probabilities < least, 0.0)
    return probabilities

# %% wrong: axis_one_and_in_place | TRUE CAUSE: two mistakes: the softmax runs over axis 1, which is the vocabulary only for logits of two axes, and the cut is made in place, in the caller's logits
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        temperature, top_k = 1.0, 1
    if top_k is not None:
        kept = logits.topk(min(top_k, logits.size(-1))).values
        logits[logits < kept[..., -1:]] = float("-inf")
    return F.softmax(logits / temperature, dim=1)
