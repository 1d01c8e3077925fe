# %% wrong: unread_counted_as_read | TRUE CAUSE: start is the number of all tokens so far, including those that are unread, so every token is placed too far back in the text: the prompt begins at position T instead of 0
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens).

    The model reads each position once, and is afterwards as it was, in its mode.
    """
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    for part, name, attention in places:
        setattr(part, name, CachedMultiHeadAttention(attention))

    unread = ids
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = ids.size(1)
            logits = model(unread, start=start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids


# %% wrong: everything_unread_again | TRUE CAUSE: after each step the whole text counts as unread again, so the model reads all positions once more although the caches hold their keys and values already
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens).

    The model reads each position once, and is afterwards as it was, in its mode.
    """
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    for part, name, attention in places:
        setattr(part, name, CachedMultiHeadAttention(attention))

    unread = ids
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = ids.size(1) - unread.size(1)
            logits = model(unread, start=start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, num_samples=1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids


# %% wrong: one_position_a_step_and_global_seed | TRUE CAUSE: two mistakes: start grows by 1 with each step from 0, as if the prompt were one token long, and multinomial draws from torch's global generator instead of from the one that was given
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens).

    The model reads each position once, and is afterwards as it was, in its mode.
    """
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    for part, name, attention in places:
        setattr(part, name, CachedMultiHeadAttention(attention))

    unread = ids
    with torch.no_grad():
        for start in range(max_new_tokens):
            logits = model(unread, start)  # (N, T, V)
            probabilities = next_token_probabilities(logits[:, -1], temperature, top_k)
            token = torch.multinomial(probabilities, num_samples=1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
