# %% wrong: unread_counted_as_read | TRUE CAUSE: start is the length of everything so far, the unread tokens included: all positions are too far to the right
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
            logits = model(unread, start)[:, -1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: last_row_not_last_position | TRUE CAUSE: [-1] takes the last text of the batch, (T, V), not the last position of each text
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
            logits = model(unread, start)[-1]  # (N, V); blank: logits_of_the_last
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: generator_not_used | TRUE CAUSE: the generator is not handed to torch.multinomial, so the random numbers come from the global one
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
            token = torch.multinomial(probabilities, 1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: everything_unread_again | TRUE CAUSE: unread is all of ids again, though the caches hold its keys already: positions are read many times
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
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: always_the_likeliest | TRUE CAUSE: takes the likeliest token in place of drawing one, so it is greedy at every temperature
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
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
            logits = model(unread, start=start)[:, -1]
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = probabilities.argmax(dim=-1, keepdim=True)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: start_counts_steps | TRUE CAUSE: start is the number of the step, which forgets the length of the prompt
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
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
            logits = model(unread, start=step)[:, -1, :]
            probabilities = next_token_probabilities(logits, temperature, top_k)
            unread = torch.multinomial(probabilities, num_samples=1, generator=generator)
            ids = torch.cat([ids, unread], dim=-1)

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: no_cache_at_all | TRUE CAUSE: has no cache: the model reads the whole text at each step, so the tokens are right, but positions are read again and again
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        for _ in range(max_new_tokens):
            logits = model(ids)[:, -1]
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)
            ids = torch.cat([ids, token], dim=1)
    model.train(was_training)
    return ids

# %% wrong: caches_left_and_dials_lost | TRUE CAUSE: two mistakes: temperature and top_k are not handed on, and at the end the caches stay in the model, in eval mode
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    model.eval()
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                setattr(part, name, CachedMultiHeadAttention(child))

    unread = ids
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = ids.size(1) - unread.size(1)
            logits = model(unread, start)[:, -1]
            probabilities = next_token_probabilities(logits)
            token = torch.multinomial(probabilities, 1, generator=generator)
            ids = torch.cat([ids, token], dim=1)
            unread = token
    return ids

# %% wrong: stops_at_end | TRUE CAUSE: stops as soon as every row has written token 1, <end>, as greedy_decode of lesson 10 did: the result can be shorter than T + max_new_tokens
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
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
    ended = torch.zeros(ids.size(0), dtype=torch.bool, device=ids.device)
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = ids.size(1) - unread.size(1)
            logits = model(unread, start)[:, -1]
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)
            ids = torch.cat([ids, token], dim=1)
            unread = token
            ended = ended | (token.squeeze(1) == 1)
            if ended.all():
                break

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
