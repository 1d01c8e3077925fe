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


# %% right: own_preallocated
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    n, prompt = ids.shape
    text = ids.new_zeros(n, prompt + max_new_tokens)
    text[:, :prompt] = ids
    swapped = []
    try:
        model.eval()
        for parent in list(model.modules()):
            for key, sub in list(parent._modules.items()):
                if hasattr(sub, "w_q"):
                    swapped.append((parent, key, sub))
                    parent._modules[key] = CachedMultiHeadAttention(sub)
        read = 0
        with torch.no_grad():
            for end in range(prompt, prompt + max_new_tokens):
                out = model(text[:, read:end], start=read)[:, -1]
                p = next_token_probabilities(out, temperature, top_k)
                text[:, end] = torch.multinomial(p, 1, generator=generator)[:, 0]
                read = end
    finally:
        for parent, key, sub in swapped:
            parent._modules[key] = sub
        model.train(mode)
    return text

# %% right: own_helpers_and_pieces
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def attentions():
        for parent in model.modules():
            for name, child in parent.named_children():
                if hasattr(child, "w_q"):
                    yield parent, name, child

    def draw(tokens, start):
        last = model(tokens, start=start)[:, -1, :]
        chances = next_token_probabilities(last, temperature=temperature, top_k=top_k)
        return torch.multinomial(chances, num_samples=1, generator=generator)

    training = model.training
    originals = list(attentions())
    model.eval()
    for parent, name, child in originals:
        setattr(parent, name, CachedMultiHeadAttention(child))

    pieces, start = [ids], 0
    while len(pieces) < max_new_tokens + 1:
        newest = pieces[-1]
        pieces.append(draw(newest, start))
        start += newest.shape[1]

    for parent, name, child in originals:
        setattr(parent, name, child)
    model.train(training)
    return torch.cat(pieces, dim=1)
