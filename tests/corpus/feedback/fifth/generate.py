# %% wrong: prompt_starts_late | TRUE CAUSE: start is the place of the last token, ids.size(1) - 1: right for single tokens, but a prompt of several tokens is read as if it began at its last position
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
            start = ids.size(1) - 1
            logits = model(unread, start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: one_draw_for_all | TRUE CAUSE: one token is drawn, from the first row's probabilities, and given to all rows
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
            token = torch.multinomial(probabilities[0], 1, generator=generator).expand(len(ids), 1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: no_cache_at_all | TRUE CAUSE: simplified to a loop without caches that reads the whole text again for each token: the text is right, but positions are read more than once
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    for _ in range(max_new_tokens):
        logits = model(ids)[:, -1]  # (N, V)
        probabilities = next_token_probabilities(logits, temperature, top_k)
        token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
        ids = torch.cat([ids, token], dim=1)
    model.train(was_training)
    return ids

# %% wrong: only_the_new_and_train_mode | TRUE CAUSE: two mistakes: only the new tokens are returned, without the prompt, and the model is always left in train mode
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

    unread, prompt = ids, ids.size(1)
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = ids.size(1) - unread.size(1)
            logits = model(unread, start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train()
    return ids[:, prompt:]

