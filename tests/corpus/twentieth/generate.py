# %% wrong: one-cache-for-all-layers | The list holds the same cache several times ([cache] * number of layers); so all layers write their keys and values into one cache instead of each having its own.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest)] * len(model.encoder.layers)
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids

# %% wrong: start-always-zero | start is always 0, also when only the newest token is read; so each new token is placed at position 0, instead of after the tokens that were read before.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    start = 0
    written = [ids]
    try:
        with torch.no_grad():
            while len(written) <= max_new_tokens:
                logits = model.read_on(written[-1], start, caches)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                written.append(torch.multinomial(probabilities, 1, generator=generator))
    finally:
        model.train(was_training)
    return torch.cat(written, dim=1)

# %% wrong: nanogpt-rereads-everything | Each step makes new caches and reads the whole text so far; the tokens are right, but every position is read again and again instead of once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    idx = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                caches = [KeyValueCache(idx.size(1)) for _ in model.encoder.layers]
                logits = model.read_on(idx, 0, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
                idx = torch.cat((idx, idx_next), dim=1)
    finally:
        model.train(was_training)
    return idx

# %% wrong: hf-stops-at-end | The loop ends as soon as every row has written <end>, as Hugging Face's generate does; here nothing stops at <end>, and the result is always (N, T + max_new_tokens).
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    eos_token_id = 1
    was_training = model.training
    model.eval()
    past_key_values = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    unfinished = torch.ones(ids.size(0), dtype=torch.bool, device=ids.device)
    input_ids, past = ids, 0
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model.read_on(input_ids, past, past_key_values)
                past += input_ids.size(1)
                probs = next_token_probabilities(logits, temperature, top_k)
                input_ids = torch.multinomial(probs, 1, generator=generator)
                ids = torch.cat([ids, input_ids], dim=-1)
                unfinished = unfinished & input_ids.squeeze(1).ne(eos_token_id)
                if not unfinished.any():
                    break
    finally:
        model.train(was_training)
    return ids

# %% wrong: gpt-fast-one-too-many | The token after the prompt is drawn before the loop, which then still runs max_new_tokens times instead of one time less; so one token too many is written.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def sample(tokens, start):
        logits = model.read_on(tokens, start, caches)
        probs = next_token_probabilities(logits, temperature, top_k)
        return torch.multinomial(probs, 1, generator=generator)
    was_training = model.training
    model.eval()
    T = ids.size(1)
    caches = [KeyValueCache(T + max_new_tokens) for _ in model.encoder.layers]
    try:
        with torch.no_grad():
            cur_token = sample(ids, 0)
            new_tokens = [cur_token]
            for input_pos in range(T, T + max_new_tokens):
                cur_token = sample(cur_token, input_pos)
                new_tokens.append(cur_token)
    finally:
        model.train(was_training)
    return torch.cat([ids, *new_tokens], dim=1)

# %% wrong: always-in-training-afterwards | After writing the model is always set to training mode, instead of to the mode that it was in before the call.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    @torch.no_grad()
    def write(text):
        caches = [KeyValueCache(text.size(1) + max_new_tokens) for _ in model.encoder.layers]
        read = 0
        for _ in range(max_new_tokens):
            unread = text[:, read:]
            probabilities = next_token_probabilities(
                model.read_on(unread, read, caches), temperature, top_k
            )
            read = text.size(1)
            token = torch.multinomial(probabilities, 1, generator=generator)
            text = torch.cat([text, token], dim=1)
        return text
    model.eval()
    try:
        return write(ids)
    finally:
        model.train()

# %% wrong: likeliest-instead-of-drawn | Whenever top_k or a temperature below 1 is given, the likeliest token is taken by argmax instead of one being drawn from the probabilities; only temperature 0 is greedy, and that comes out of the probabilities by itself.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    do_sample = temperature >= 1 and top_k is None
    out = ids.new_empty(ids.size(0), ids.size(1) + max_new_tokens)
    out[:, : ids.size(1)] = ids
    begin = 0
    try:
        with torch.no_grad():
            for end in range(ids.size(1), out.size(1)):
                logits = model.read_on(out[:, begin:end], begin, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                if do_sample:
                    out[:, end] = torch.multinomial(probs, 1, generator=generator)[:, 0]
                else:
                    out[:, end] = probs.argmax(dim=-1)
                begin = end
    finally:
        model.train(was_training)
    return out

# %% wrong: mingpt-own-randomness-new-tokens-only | Two mistakes. (1) multinomial is called without generator=generator, so the numbers come from the global one and the same seed does not write the same text. (2) Only the new tokens are returned, (N, max_new_tokens), without the prompt.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    idx, idx_next = ids, ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = idx.size(1) - idx_next.size(1)
                logits = model.read_on(idx_next, start, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                idx_next = torch.multinomial(probs, num_samples=1)
                idx = torch.cat((idx, idx_next), dim=1)
    finally:
        model.train(was_training)
    return idx[:, ids.size(1):]

# %% right: list-of-pieces
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in range(len(model.encoder.layers))]
    pieces, read = [ids], 0
    try:
        model.train(False)
        with torch.no_grad():
            while len(pieces) - 1 < max_new_tokens:
                newest = pieces[-1]
                logits = model.read_on(newest, read, caches)
                read += newest.shape[1]
                probs = next_token_probabilities(logits, temperature, top_k)
                pieces.append(probs.multinomial(1, generator=generator))
    finally:
        model.train(mode)
    return torch.cat(pieces, dim=1)

# %% right: filled-in-place-of-a-table
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    @torch.no_grad()
    def fill(text, first):
        caches = []
        for _layer in model.encoder.layers:
            caches.append(KeyValueCache(text.size(1)))
        begin = 0
        for end in range(first, text.size(1)):
            logits = model.read_on(text[:, begin:end], begin, caches)
            chances = next_token_probabilities(logits, temperature=temperature, top_k=top_k)
            text[:, end] = torch.multinomial(chances, 1, generator=generator).squeeze(1)
            begin = end
        return text
    training = model.training
    model.eval()
    room = ids.new_zeros(ids.size(0), max_new_tokens)
    try:
        return fill(torch.cat([ids, room], dim=1), ids.size(1))
    finally:
        model.train(training)
