# %% wrong: start_is_length_minus_one | TRUE CAUSE: start is ids.size(1) - 1, which is the number of tokens read before only when one token is unread; in the first step the whole prompt is unread, so it is placed at positions T - 1 and later instead of 0 (right only for prompts of one token).
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
            logits = model(unread, start=start)[:, -1]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: generator_not_passed_on | TRUE CAUSE: torch.multinomial is called without generator=generator, so the tokens are drawn from torch's global random numbers, and the same seeded generator does not write the same text.
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
            logits = model(unread, start)[:, -1, :]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, num_samples=1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids[:, -1:]

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: own_places_by_name | TRUE CAUSE: the attentions are collected in a dict whose key is the child's name alone; all layers use the same name, so only the last layer's attention gets a cache, and the other layers see nothing but the newest token after the first step.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    originals = {}
    for module in model.modules():
        for name, child in module.named_children():
            if hasattr(child, "w_q"):
                originals[name] = (module, child)
    for name, (module, child) in originals.items():
        setattr(module, name, CachedMultiHeadAttention(child))

    text, new, seen = ids, ids, 0
    with torch.no_grad():
        while text.shape[1] < ids.shape[1] + max_new_tokens:
            last = model(new, start=seen)[:, -1]
            seen += new.shape[1]
            p = next_token_probabilities(last, temperature, top_k)
            new = torch.multinomial(p, 1, generator=generator)
            text = torch.cat((text, new), dim=1)

    for name, (module, child) in originals.items():
        setattr(module, name, child)
    model.train(mode)
    return text

# %% wrong: own_always_back_to_training | TRUE CAUSE: the mode before the call is not remembered and model.train() is called at the end in any case, so a model that was in eval mode is left in training mode, with its dropout on.
def _swap(model):
    found = []
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                found.append((part, name, child))
    for part, name, child in found:
        setattr(part, name, CachedMultiHeadAttention(child))
    return found


@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    model.eval()
    found = _swap(model)
    pieces, start = [ids], 0
    for step in range(max_new_tokens):
        unread = pieces[-1]
        logits = model(unread, start=start)
        start = start + unread.size(1)
        probs = next_token_probabilities(logits[:, -1], temperature, top_k)
        pieces.append(torch.multinomial(probs, 1, generator=generator))
    for part, name, child in found:
        setattr(part, name, child)
    model.train()
    return torch.cat(pieces, dim=1)
