# %% wrong: own_end_of_the_prompt_is_read_twice | The prompt is read as a whole to fill the caches, and then its last token is read once more in the loop's first step: its key and value are in the caches twice, where each position should be read once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens + 1
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    try:
        with torch.no_grad():
            model.read_on(ids, 0, caches)  # the caches now know the prompt
            newest = ids[:, -1:]
            while max_new_tokens > 0:
                logits = model.read_on(newest, ids.size(1) - 1, caches)  # (N, V)
                shares = next_token_probabilities(logits, temperature, top_k)
                newest = torch.multinomial(shares, 1, generator=generator)
                ids = torch.hstack([ids, newest])
                max_new_tokens -= 1
    finally:
        model.train(was_training)
    return ids
# %% wrong: newest_token_one_too_late | after the prompt start is the whole length of ids, which includes the newest, unread token, so each new token stands one position too late
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = 0 if unread is ids else ids.size(1)
            logits = model.read_on(unread, start, caches)  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token
    model.train(was_training)
    return ids

# %% wrong: forgets-what-it-read | Two mistakes. New caches are made in each step although only the newest token is read, so after the prompt the model has forgotten all before it; and start is always 0, so each token stands at the first position.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    @torch.no_grad()
    def next_one(unread):
        caches = [KeyValueCache(unread.size(1)) for _ in range(len(model.encoder.layers))]
        logits = model.read_on(unread, start=0, caches=caches)
        probabilities = next_token_probabilities(logits, temperature, top_k)
        return torch.multinomial(probabilities, 1, generator=generator)
    mode = model.training
    model.eval()
    try:
        text = [ids]
        for _ in range(max_new_tokens):
            text.append(next_one(text[-1]))
    finally:
        model.train(mode)
    return torch.cat(text, dim=1)
