# %% wrong: room-for-the-new-ones-only | The caches are made for max_new_tokens positions; but the prompt is read into them, too, so they are too small and writing stops with an error.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    caches = [KeyValueCache(max_new_tokens) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids

# %% wrong: everything-unread-again | unread is all of ids at each step, with start 0, while the caches keep what was read before: every position is read and put into the caches again and again, until they are full or the mask does not fit.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    try:
        caches = [KeyValueCache(longest) for _ in model.encoder.layers]
        with torch.no_grad():
            while ids.size(1) < longest:
                logits = model.read_on(ids, 0, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat((ids, idx_next), dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: nanogpt-without-caches | The loop of nanoGPT: model(ids) reads all tokens at each step and only the last logits are used; the caches and read_on are not used, so each position is read many times and not once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model(ids)
                logits = logits[:, -1, :]
                probs = next_token_probabilities(logits, temperature, top_k)
                idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat((ids, idx_next), dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: global-random-numbers | The generator is not passed on to torch.multinomial: the tokens are drawn with torch's global generator, so the same seed in `generator` does not write the same text.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in range(len(model.encoder.layers))]
    pieces, start = [ids], 0
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model.read_on(pieces[-1], start, caches)
                start += pieces[-1].size(1)
                weights = next_token_probabilities(logits, temperature, top_k)
                pieces.append(torch.multinomial(weights, 1))
    finally:
        model.train(was_training)
    return torch.cat(pieces, dim=1)

# %% wrong: one-draw-for-all-rows | One token is drawn, from the probabilities of the first row, and put behind every row: each row should draw its own.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)
                probabilities = next_token_probabilities(logits[0], temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)
                unread = token.expand(ids.size(0), 1)
                ids = torch.cat([ids, unread], dim=1)
    finally:
        model.train(was_training)
    return ids

# %% right: prefill-then-decode
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    prompt = ids.size(1)
    out = F.pad(ids, (0, max_new_tokens))
    try:
        model.eval()
        with torch.no_grad():
            caches = [KeyValueCache(prompt + max_new_tokens) for _ in model.encoder.layers]
            read = 0
            for end in range(prompt, prompt + max_new_tokens):
                logits = model.read_on(out[:, read:end], read, caches)
                probs = next_token_probabilities(logits, temperature=temperature, top_k=top_k)
                out[:, end : end + 1] = torch.multinomial(probs, num_samples=1, generator=generator)
                read = end
    finally:
        model.train(mode)
    return out
