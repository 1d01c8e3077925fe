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
# %% right: thirteenth_own_table_filled_in
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    swaps = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    prompt = ids.size(1)
    text = F.pad(ids, (0, max_new_tokens))  # (N, T + max_new_tokens), a new tensor
    read = 0  # how many tokens the model has read
    @torch.no_grad()
    def draw(unread):
        logits = model(unread, start=read)
        shares = next_token_probabilities(logits[:, -1], temperature, top_k)
        return torch.multinomial(shares, num_samples=1, generator=generator).squeeze(1)
    try:
        model.eval()
        for part, name, attention in swaps:
            setattr(part, name, CachedMultiHeadAttention(attention))
        for place in range(prompt, prompt + max_new_tokens):
            text[:, place] = draw(text[:, read:place])
            read = place
    finally:
        for part, name, attention in swaps:
            setattr(part, name, attention)
        model.train(was_training)
    return text
