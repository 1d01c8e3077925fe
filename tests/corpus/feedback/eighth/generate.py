# %% wrong: start_counts_the_unread | TRUE CAUSE: start is the length of all ids, with those that are still unread, so every token is read at a position too far
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


# %% wrong: generator_not_used | TRUE CAUSE: draws from the global random numbers and ignores generator, so the same seed does not write the same text
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
            logits = model(unread, start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, num_samples=1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids


# %% wrong: start_counts_steps | TRUE CAUSE: start is the number of the step, which forgets that the first step read the whole prompt: right only for a prompt of one token
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
        for step in range(max_new_tokens):
            output = model(unread, start=step)  # (N, T, V)
            logits = output[:, -1, :]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids[:, -1:]

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
