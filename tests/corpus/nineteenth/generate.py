# %% wrong: never-passes-the-generator | Every row draws, but torch.multinomial is called without generator=generator: the numbers come from torch's global generator, so the same seed does not write the same text.
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

# %% wrong: start-never-advances | `start` is set to 0 before the loop and never moved on: each new token is read as if it stood at position 0, although the caches hold others before it.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in range(len(model.encoder.layers))]
    unread = ids
    start = 0
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model.read_on(unread, start, caches)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, num_samples=1, generator=generator)
                ids = torch.cat([ids, token], dim=1)
                unread = ids[:, -1:]
    finally:
        model.train(was_training)
    return ids

# %% wrong: reads-everything-again | In the manner of nanoGPT's generate: the model is called with all ids at each step, without caches. The text comes out the same, but the contract says that the model reads each position once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model(ids)[:, -1, :]
                probs = next_token_probabilities(logits, temperature, top_k)
                id_next = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat((ids, id_next), dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: one-draw-for-all-rows | A token is drawn from the probabilities of row 0 and given to every row; every row has to draw its own token from its own probabilities.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def draw(probabilities):
        token = torch.multinomial(probabilities[0], 1, generator=generator)
        return token.expand(len(probabilities), 1)
    mode = model.training
    model.train(False)
    caches = [KeyValueCache(ids.shape[1] + max_new_tokens) for _ in model.encoder.layers]
    pieces, read = [ids], 0
    try:
        with torch.no_grad():
            while len(pieces) <= max_new_tokens:
                newest = pieces[-1]
                logits = model.read_on(newest, read, caches)
                read += newest.shape[1]
                pieces.append(draw(next_token_probabilities(logits, temperature, top_k)))
    finally:
        model.train(mode)
    return torch.cat(pieces, dim=1)

# %% wrong: prompt-left-out | In the manner of Llama's generate, which returns the completion alone: the result is (N, max_new_tokens), without the prompt, where (N, T + max_new_tokens) is asked for.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    bsz, prompt_len = ids.shape
    total_len = prompt_len + max_new_tokens
    tokens = ids.new_zeros((bsz, total_len))
    tokens[:, :prompt_len] = ids
    caches = [KeyValueCache(total_len) for _ in model.encoder.layers]
    prev_pos = 0
    try:
        with torch.no_grad():
            for cur_pos in range(prompt_len, total_len):
                logits = model.read_on(tokens[:, prev_pos:cur_pos], prev_pos, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                next_token = torch.multinomial(probs, num_samples=1, generator=generator)
                tokens[:, cur_pos] = next_token.reshape(-1)
                prev_pos = cur_pos
    finally:
        model.train(was_training)
    return tokens[:, prompt_len:]

# %% wrong: always-back-to-training-and-temperature-twice | Two mistakes. The model is always put into training mode at the end, not into the mode that it was in; and the logits are divided by the temperature before next_token_probabilities divides them once more.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)
                if temperature > 0:
                    logits = logits / temperature
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train()
    return ids

# %% right: pieces
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    rooms = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    pieces = [ids]
    try:
        model.train(False)
        with torch.set_grad_enabled(False):
            for _ in range(max_new_tokens):
                read = sum(piece.size(1) for piece in pieces[:-1])
                scores = model.read_on(pieces[-1], read, rooms)
                chances = next_token_probabilities(scores, temperature=temperature, top_k=top_k)
                pieces.append(chances.multinomial(1, generator=generator))
    finally:
        model.train(mode)
    return torch.cat(pieces, dim=1)

# %% right: filled-tensor
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    n, prompt = ids.shape
    total = prompt + max_new_tokens
    written = torch.zeros(n, total, dtype=ids.dtype, device=ids.device)
    written[:, :prompt] = ids
    caches = tuple(KeyValueCache(total) for _ in model.encoder.layers)
    model.eval()
    try:
        with torch.no_grad():
            begin = 0
            for end in range(prompt, total):
                logits = model.read_on(written[:, begin:end], begin, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                written[:, end] = torch.multinomial(probs, 1, generator=generator)[:, 0]
                begin = end
    finally:
        model.train(was_training)
    return written
