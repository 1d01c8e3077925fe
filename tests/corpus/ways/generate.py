# %% right: own_helpers_and_pieces
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    caches = [KeyValueCache(ids.shape[1] + max_new_tokens) for _ in model.encoder.layers]
    def draw(tokens, start):
        last = model.read_on(tokens, start, caches)
        chances = next_token_probabilities(last, temperature=temperature, top_k=top_k)
        return torch.multinomial(chances, num_samples=1, generator=generator)
    training = model.training
    model.eval()
    pieces, start = [ids], 0
    while len(pieces) < max_new_tokens + 1:
        newest = pieces[-1]
        pieces.append(draw(newest, start))
        start += newest.shape[1]
    model.train(training)
    return torch.cat(pieces, dim=1)
# %% right: twelfth_own_filled_table
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    rows, read = ids.size(0), 0
    length = ids.size(1)
    table = ids.new_zeros(rows, length + max_new_tokens)
    table[:, :length] = ids
    training = model.training
    caches = [KeyValueCache(table.size(1)) for _ in model.encoder.layers]
    model.eval()
    try:
        with torch.no_grad():
            for here in range(length, length + max_new_tokens):
                scores = model.read_on(table[:, read:here], read, caches)
                read = here
                p = next_token_probabilities(scores, temperature=temperature, top_k=top_k)
                table[:, here] = torch.multinomial(p, 1, generator=generator).squeeze(1)
    finally:
        model.train(training)
    return table
# %% right: thirteenth_own_table_filled_in
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    prompt = ids.size(1)
    text = F.pad(ids, (0, max_new_tokens))  # (N, T + max_new_tokens), a new tensor
    caches = [KeyValueCache(text.size(1)) for _ in model.encoder.layers]
    read = 0  # how many tokens the model has read
    @torch.no_grad()
    def draw(unread):
        shares = next_token_probabilities(model.read_on(unread, read, caches), temperature, top_k)
        return torch.multinomial(shares, num_samples=1, generator=generator).squeeze(1)
    try:
        model.eval()
        for place in range(prompt, prompt + max_new_tokens):
            text[:, place] = draw(text[:, read:place])
            read = place
    finally:
        model.train(was_training)
    return text
