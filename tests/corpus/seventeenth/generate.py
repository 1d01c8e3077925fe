# %% wrong: always-the-likeliest | The token is the argmax of the probabilities instead of one drawn from them with torch.multinomial, so at any temperature the text is the greedy one.
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
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = probabilities.argmax(dim=-1, keepdim=True)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids

# %% wrong: global-random-numbers | The generator is not passed to torch.multinomial, so the random numbers are torch's global ones, and the same seed of the generator does not write the same text.
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
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids

# %% wrong: nanogpt-reads-everything | Each step reads the whole text so far into new caches, as nanoGPT does without a cache; the text is right, but the model reads each position many times, not once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                caches = [KeyValueCache(ids.size(1)) for _ in model.encoder.layers]
                logits = model.read_on(ids, 0, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat((ids, token), dim=1)
    finally:
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

# %% wrong: first-row-draws-for-all | All tokens of a step are drawn from the probabilities of the first row, one for each row, while every row draws from its own.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    read, unread = 0, ids
    written = [ids]
    try:
        with torch.no_grad():
            while len(written) <= max_new_tokens:
                logits = model.read_on(unread, read, caches)
                read += unread.size(1)
                probabilities = next_token_probabilities(logits, temperature, top_k)[0]
                drawn = torch.multinomial(
                    probabilities, ids.size(0), replacement=True, generator=generator
                )
                unread = drawn.unsqueeze(1)
                written.append(unread)
    finally:
        model.train(was_training)
    return torch.hstack(written)

# %% wrong: gpt-fast-one-too-many | The prompt is read first and yields a token, and then max_new_tokens more are written instead of max_new_tokens - 1, so each row is one token too long.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def sample(logits):
        probs = next_token_probabilities(logits, temperature, top_k)
        return torch.multinomial(probs, 1, generator=generator)
    def decode_n_tokens(cur_token, input_pos, num_new_tokens):
        new_tokens = []
        for i in range(num_new_tokens):
            cur_token = sample(model.read_on(cur_token, input_pos + i, caches))
            new_tokens.append(cur_token)
        return new_tokens
    T = ids.size(1)
    was_training = model.training
    model.eval()
    caches = [KeyValueCache(T + max_new_tokens) for _ in model.encoder.layers]
    try:
        with torch.no_grad():
            next_token = sample(model.read_on(ids, 0, caches))
            generated = decode_n_tokens(next_token, T, max_new_tokens)
    finally:
        model.train(was_training)
    return torch.cat([ids, next_token, *generated], dim=1)

# %% wrong: draws-a-rank | The probabilities are sorted before the draw, and the place in the sorted list, a rank, is taken for the token's id; it has to be looked up in the order of the sort.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model.read_on(unread, ids.size(1) - unread.size(1), caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                probs_sort, probs_idx = torch.sort(probs, dim=-1, descending=True)
                unread = torch.multinomial(probs_sort, num_samples=1, generator=generator)
                ids = torch.cat([ids, unread], dim=1)
    finally:
        model.train(was_training)
    return ids

# %% right: counter-of-read
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    prompt = ids.size(1)
    text = torch.cat([ids, ids.new_zeros(ids.size(0), max_new_tokens)], dim=1)
    caches = [KeyValueCache(text.size(1)) for _ in model.encoder.layers]
    try:
        model.eval()
        with torch.no_grad():
            read = 0
            for place in range(prompt, text.size(1)):
                logits = model.read_on(text[:, read:place], read, caches)
                read = place
                chances = next_token_probabilities(logits, temperature=temperature, top_k=top_k)
                text[:, place] = torch.multinomial(chances, 1, generator=generator).squeeze(1)
    finally:
        model.train(mode)
    return text

# %% right: list-of-tokens
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    past = [KeyValueCache(ids.shape[1] + max_new_tokens) for _ in model.encoder.layers]
    pieces, start = [ids], 0
    was_training = model.training
    model.eval()
    try:
        while len(pieces) < max_new_tokens + 1:
            newest = pieces[-1]
            logits = model.read_on(newest, start, past)
            start = start + newest.shape[1]
            probs = next_token_probabilities(logits, temperature, top_k)
            pieces.append(torch.multinomial(probs, num_samples=1, generator=generator))
    finally:
        model.train(was_training)
    return torch.cat(pieces, dim=1)
