# %% wrong: newest_token_one_too_late | TRUE CAUSE: after the prompt start is the whole length of ids, which includes the newest, unread token, so each new token stands one position too late
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
            start = 0 if unread is ids else ids.size(1)
            logits = model(unread, start=start)[:, -1]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
# %% wrong: one_draw_for_all_rows | TRUE CAUSE: one token is drawn from the first row's probabilities and given to every row, instead of one draw for each row
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
            logits = model(unread, start=start)[:, -1, :]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            drawn = torch.multinomial(probabilities[0], 1, generator=generator)
            token = drawn.expand(ids.size(0), 1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
# %% wrong: own_attentions_kept_by_name | TRUE CAUSE: the attentions are collected in a dictionary by their name within the layer, which is the same in all layers, so only the last layer gets a cache and the others see the newest token alone
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    originals = {}
    for owner in model.modules():
        for name, child in owner.named_children():
            if hasattr(child, "w_q"):
                originals[name] = (owner, child)
    for name, (owner, child) in originals.items():
        setattr(owner, name, CachedMultiHeadAttention(child))

    text, new, done = ids, ids, 0
    with torch.no_grad():
        for _ in range(max_new_tokens):
            scores = model(new, start=done)[:, -1]
            done += new.shape[1]
            chances = next_token_probabilities(scores, temperature, top_k)
            new = torch.multinomial(chances, num_samples=1, generator=generator)
            text = torch.hstack([text, new])

    for name, (owner, child) in originals.items():
        setattr(owner, name, child)
    model.train(mode)
    return text
# %% wrong: own_generator_of_its_own | TRUE CAUSE: where generator is None a new generator with torch's initial seed is made instead of drawing from torch's global one, so every call without a generator writes the same text and the global state does not move
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    if generator is None:
        generator = torch.Generator(device=ids.device).manual_seed(torch.initial_seed())
    mode = model.training
    model.eval()
    swaps = []
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if hasattr(child, "w_q"):
                swaps.append((owner, name, child))
                setattr(owner, name, CachedMultiHeadAttention(child))
    pieces = [ids]
    while len(pieces) <= max_new_tokens:
        before = sum(piece.size(1) for piece in pieces[:-1])
        last = model(pieces[-1], start=before)[:, -1]
        p = next_token_probabilities(last, temperature, top_k)
        pieces.append(torch.multinomial(p, 1, generator=generator))
    for owner, name, child in swaps:
        setattr(owner, name, child)
    model.train(mode)
    return torch.cat(pieces, dim=1)
