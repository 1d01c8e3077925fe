# %% right: counts_what_was_read
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

    read = 0
    with torch.no_grad():
        for _ in range(max_new_tokens):
            unread = ids[:, read:]
            logits = model(unread, start=read).select(1, -1)
            read = ids.size(1)
            probabilities = next_token_probabilities(logits, temperature=temperature, top_k=top_k)
            token = probabilities.multinomial(1, generator=generator)
            ids = torch.hstack((ids, token))

    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids

# %% right: pieces_joined_at_the_end
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    places = []
    for part in model.modules():
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                places.append((part, name, child))
    for part, name, attention in places:
        setattr(part, name, CachedMultiHeadAttention(attention))
    model.eval()

    pieces, start = [ids], 0
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                unread = pieces[-1]
                logits = model(unread, start)
                start += unread.size(1)
                chances = next_token_probabilities(logits[:, -1, :], temperature, top_k)
                pieces.append(torch.multinomial(chances, 1, generator=generator))
    finally:
        for part, name, attention in places:
            setattr(part, name, attention)
        model.train(was_training)
    return torch.cat(pieces, dim=1)
