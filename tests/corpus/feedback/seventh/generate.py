# %% wrong: unread_from_the_old_start | TRUE CAUSE: unread is ids from start on, but start is where the tokens just read began, so they are read again together with the new one, and the caches hold them several times
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
            logits = model(unread, start=start)[:, -1]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids[:, start:]

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids


# %% wrong: generator_unused_left_in_train | TRUE CAUSE: two mistakes: multinomial is not given the generator, so a seed of the caller's does not fix the text, and the model is put into train mode at the end, whatever mode it was in
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens)."""
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
            start = ids.shape[1] - unread.shape[1]
            logits = model(unread, start)[:, -1, :]
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, num_samples=1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train()
    return ids


# %% wrong: start_grows_by_one_a_step | TRUE CAUSE: start counts the steps: it grows by 1 after the prompt, too, where as many tokens as the prompt has were read; so new tokens stand at positions of the prompt (no difference for a prompt of one token)
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens)."""
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

    unread, start = ids, 0
    with torch.no_grad():
        while max_new_tokens > 0:
            logits = model(unread, start=start)[:, -1]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            unread = torch.multinomial(probabilities, 1, generator=generator)
            ids = torch.cat([ids, unread], dim=1)
            start += 1
            max_new_tokens -= 1

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
