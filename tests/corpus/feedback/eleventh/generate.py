# %% wrong: generator_not_used | TRUE CAUSE: torch.multinomial is called without generator=generator, so the tokens come from torch's global random numbers and the same seed does not write the same text
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
            token = torch.multinomial(probabilities, num_samples=1)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
# %% wrong: start_is_length_minus_one | TRUE CAUSE: start is ids.size(1) - 1 also in the first call, where the whole prompt is unread and start should be 0, so a prompt longer than one token is placed at positions that are too late
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
# %% wrong: own_reads_everything_each_step | TRUE CAUSE: there is no cache: the whole text is read again in each step, so the tokens are right but the positions are read many times instead of once
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    text = ids.clone()
    while text.size(1) < ids.size(1) + max_new_tokens:
        last = model(text)[:, -1, :]
        p = next_token_probabilities(last, temperature, top_k)
        text = torch.cat((text, torch.multinomial(p, num_samples=1, generator=generator)), dim=1)
    model.train(mode)
    return text
# %% wrong: own_originals_by_name | TRUE CAUSE: the original attentions are kept in a dict by their attribute name, which is the same in every layer, so only the last layer gets its attention back and the other layers stay cached
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    originals = {}
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if hasattr(child, "w_q"):
                originals[name] = (owner, child)
                setattr(owner, name, CachedMultiHeadAttention(child))

    pieces, already = [ids], 0
    for _ in range(max_new_tokens):
        newest = pieces[-1]
        scores = model(newest, start=already)[:, -1]
        already += newest.size(1)
        p = next_token_probabilities(scores, temperature, top_k)
        pieces.append(torch.multinomial(p, 1, generator=generator))

    for name, (owner, child) in originals.items():
        setattr(owner, name, child)
    model.train(mode)
    return torch.cat(pieces, dim=1)
