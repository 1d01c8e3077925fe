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


# %% right: tenth_own_pieces
def _attentions(model):
    found = []
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                found.append((part, name, child))
    return found


@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    found = _attentions(model)
    for part, name, child in found:
        setattr(part, name, CachedMultiHeadAttention(child))
    pieces, start = [ids], 0
    for _ in range(max_new_tokens):
        unread = pieces[-1]
        last = model(unread, start=start)[:, -1]
        start += unread.size(1)
        probs = next_token_probabilities(last, temperature, top_k)
        pieces.append(torch.multinomial(probs, 1, generator=generator))
    for part, name, child in found:
        setattr(part, name, child)
    model.train(mode)
    return torch.cat(pieces, dim=1)

# %% right: tenth_own_room_for_all
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    before = model.training
    n, t = ids.shape
    text = ids.new_zeros(n, t + max_new_tokens)
    text[:, :t] = ids
    originals = {
        (part, name): child
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    }
    model.eval()
    try:
        for (part, name), child in originals.items():
            setattr(part, name, CachedMultiHeadAttention(child))
        read = 0
        with torch.no_grad():
            for end in range(t, t + max_new_tokens):
                logits = model(text[:, read:end], start=read)
                p = next_token_probabilities(logits[:, -1, :], temperature, top_k)
                text[:, end] = torch.multinomial(p, 1, generator=generator).squeeze(1)
                read = end
    finally:
        for (part, name), child in originals.items():
            setattr(part, name, child)
        model.train(before)
    return text


# %% right: eleventh_own_pieces
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    originals = {}
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if hasattr(child, "w_q"):
                originals[child] = (owner, name, child)
                setattr(owner, name, CachedMultiHeadAttention(child))

    pieces, already = [ids], 0
    for _ in range(max_new_tokens):
        newest = pieces[-1]
        scores = model(newest, start=already)[:, -1]
        already += newest.size(1)
        p = next_token_probabilities(scores, temperature, top_k)
        pieces.append(torch.multinomial(p, 1, generator=generator))

    for owner, name, child in originals.values():
        setattr(owner, name, child)
    model.train(mode)
    return torch.cat(pieces, dim=1)
# %% right: eleventh_own_filled_table
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    swapped = []
    for owner in list(model.modules()):
        for name, child in list(owner.named_children()):
            if hasattr(child, "w_q"):
                swapped.append((owner, name, child))
    for owner, name, child in swapped:
        setattr(owner, name, CachedMultiHeadAttention(child))
    model.eval()
    rows, have = ids.shape
    out = ids.new_zeros(rows, have + max_new_tokens)
    out[:, :have] = ids
    try:
        with torch.no_grad():
            read = 0
            for end in range(have, have + max_new_tokens):
                scores = model(out[:, read:end], start=read)[:, -1]
                read = end
                p = next_token_probabilities(scores, temperature, top_k)
                out[:, end] = torch.multinomial(p, 1, generator=generator).squeeze(1)
    finally:
        for owner, name, child in swapped:
            setattr(owner, name, child)
        model.train(mode)
    return out


# %% right: twelfth_own_list_of_pieces
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    swaps = [
        (owner, name, child)
        for owner in model.modules()
        for name, child in owner.named_children()
        if hasattr(child, "w_q")
    ]
    for owner, name, child in swaps:
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
# %% right: twelfth_own_filled_table
def attentions_of(model):
    found = []
    for owner in model.modules():
        for name, child in owner.named_children():
            if hasattr(child, "w_q"):
                found.append((owner, name, child))
    return found


def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    rows, read = ids.size(0), 0
    length = ids.size(1)
    table = ids.new_zeros(rows, length + max_new_tokens)
    table[:, :length] = ids
    training, found = model.training, attentions_of(model)
    model.eval()
    try:
        for owner, name, child in found:
            setattr(owner, name, CachedMultiHeadAttention(child))
        with torch.no_grad():
            for here in range(length, length + max_new_tokens):
                scores = model(table[:, read:here], start=read)[:, -1]
                read = here
                p = next_token_probabilities(scores, temperature=temperature, top_k=top_k)
                table[:, here] = torch.multinomial(p, 1, generator=generator).squeeze(1)
    finally:
        for owner, name, child in found:
            setattr(owner, name, child)
        model.train(training)
    return table
