# %% wrong: start_one_before_the_end | TRUE CAUSE: start is ids.size(1) - 1 instead of the length minus what is unread, so in the first call a prompt of several tokens is placed at position T - 1 onwards instead of at 0
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

# %% wrong: private_generator_for_none | TRUE CAUSE: where generator is None a new torch.Generator with seed 0 is made instead of drawing from torch's global one, so every call without a generator writes the same text and torch.manual_seed has no effect
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    """Continue each row of ids, (N, T), by max_new_tokens tokens: (N, T + max_new_tokens).

    The model reads each position once, and is afterwards as it was, in its mode.
    """
    was_training = model.training
    model.eval()
    if generator is None:
        generator = torch.Generator(device=ids.device).manual_seed(0)
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
            token = torch.multinomial(probabilities, num_samples=1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = ids[:, -1:]

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% wrong: own_mode_saved_too_late | TRUE CAUSE: the mode is saved from model.eval().training, so after the switch to evaluation, is always False, and a model that was training is left in eval mode
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.eval().training
    swapped = []
    for parent in list(model.modules()):
        for key, sub in list(parent._modules.items()):
            if hasattr(sub, "w_q"):
                swapped.append((parent, key, sub))
                parent._modules[key] = CachedMultiHeadAttention(sub)
    try:
        with torch.no_grad():
            done, pieces, new = 0, [ids], ids
            while len(pieces) <= max_new_tokens:
                out = model(new, start=done)[:, -1]
                done += new.shape[1]
                p = next_token_probabilities(out, temperature, top_k)
                new = torch.multinomial(p, 1, generator=generator)
                pieces.append(new)
    finally:
        for parent, key, sub in swapped:
            parent._modules[key] = sub
        model.train(mode)
    return torch.cat(pieces, dim=1)

# %% wrong: own_rows_share_a_cache | TRUE CAUSE: the rows are written one after the other but the caches are put in only once before the loop over rows, so each later row also attends to the keys and values of the rows before it (with a prompt of several tokens the causal mask no longer fits these keys, and the second row raises)
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()

    places = []
    for part in model.modules():
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                places.append((part, name, child))
    for part, name, child in places:
        setattr(part, name, CachedMultiHeadAttention(child))

    def continue_row(row):
        text = row.tolist()
        seen = 0
        for _ in range(max_new_tokens):
            new = torch.tensor([text[seen:]], device=ids.device)
            logits = model(new, start=seen)[0, -1]
            seen = len(text)
            p = next_token_probabilities(logits, temperature, top_k)
            text.append(torch.multinomial(p, 1, generator=generator).item())
        return text

    with torch.no_grad():
        written = torch.tensor([continue_row(row) for row in ids], device=ids.device)

    for part, name, child in places:
        setattr(part, name, child)
    model.train(was_training)
    return written
