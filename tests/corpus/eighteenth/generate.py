# %% wrong: nanogpt-reads-all-again | In each step the caches are made anew and the whole text so far is read from position 0. The tokens come out the same, but nothing is kept: the model has to read each position once, with the caches made once, before the loop.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                caches = [KeyValueCache(ids.size(1)) for _ in model.encoder.layers]
                logits = model.read_on(ids, 0, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat((ids, idx_next), dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: gpt-fast-exponential | The token is drawn with exponential noise (argmax of probability / noise, as in gpt-fast) from torch's global random numbers. The generator is never used, so its seed does not decide the text; all random numbers have to come from `generator`, by torch.multinomial.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def multinomial_sample_one_no_sync(probs_sort):
        q = torch.empty_like(probs_sort).exponential_(1)
        return torch.argmax(probs_sort / q, dim=-1, keepdim=True)
    was_training = model.training
    model.eval()
    T, T_new = ids.size(1), ids.size(1) + max_new_tokens
    seq = ids.new_empty(ids.size(0), T_new)
    seq[:, :T] = ids
    caches = [KeyValueCache(T_new) for _ in model.encoder.layers]
    input_pos, cur = 0, ids
    try:
        with torch.no_grad():
            for place in range(T, T_new):
                logits = model.read_on(cur, input_pos, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                cur = multinomial_sample_one_no_sync(probs)
                seq[:, place : place + 1] = cur
                input_pos = place
    finally:
        model.train(was_training)
    return seq

# %% wrong: last-of-the-prompt-twice | The whole prompt is read before the loop and its logits are thrown away; the loop then begins with the last token of the prompt again, at the position after it. So that token is read twice and stands in the caches twice, and all new tokens stand one position too far.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    try:
        with torch.no_grad():
            model.read_on(ids, 0, caches)
            token = ids[:, -1:]
            for start in range(ids.size(1), longest):
                logits = model.read_on(token, start, caches)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)
                ids = torch.cat([ids, token], dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: stops-at-the-end-token | Writing stops as soon as every row has written <end> (id 1). Nothing stops at <end> here, the caller cuts the result there: the result always has T + max_new_tokens tokens.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    eos_token_id = 1
    was_training = model.training
    model.eval()
    past_key_values = [
        KeyValueCache(ids.size(1) + max_new_tokens) for _ in range(len(model.encoder.layers))
    ]
    past_length, input_ids = 0, ids
    unfinished = torch.ones(ids.size(0), dtype=torch.bool, device=ids.device)
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                next_token_logits = model.read_on(input_ids, past_length, past_key_values)
                past_length += input_ids.size(1)
                probs = next_token_probabilities(next_token_logits, temperature, top_k)
                input_ids = torch.multinomial(probs, num_samples=1, generator=generator)
                ids = torch.cat([ids, input_ids], dim=-1)
                unfinished = unfinished & (input_ids.squeeze(1) != eos_token_id)
                if not unfinished.any():
                    break
    finally:
        model.train(was_training)
    return ids

# %% wrong: temperature-twice | The logits are divided by the temperature before they go to next_token_probabilities, which divides them by it again: the text is drawn at the temperature's square (0 and 1 come out right).
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            while ids.size(1) < longest:
                start = ids.size(1) - unread.size(1)
                logits = model.read_on(unread, start, caches)
                if temperature > 0:
                    logits = logits / temperature
                probabilities = next_token_probabilities(logits, temperature, top_k)
                unread = probabilities.multinomial(1, generator=generator)
                ids = torch.hstack([ids, unread])
    finally:
        model.train(was_training)
    return ids

# %% wrong: always-back-to-training | Two mistakes. After writing, the model is put into train mode, whatever mode it was in before, and after an error it stays in eval mode, since nothing is in a finally; and multinomial is not given the generator, so its seed does not decide the text.
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    model.eval()
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    idx_cond, pos = ids, 0
    for _ in range(max_new_tokens):
        logits = model.read_on(idx_cond, pos, caches)
        pos = pos + idx_cond.size(1)
        probs = next_token_probabilities(logits, temperature=temperature, top_k=top_k)
        idx_cond = torch.multinomial(probs, num_samples=1)
        ids = torch.cat((ids, idx_cond), dim=1)
    model.train()
    return ids

# %% wrong: one-cache-many-times | The list holds one and the same KeyValueCache num_layers times ([...] * n), so all layers write their keys and values into it, one after the other, and it has too many places for the mask. Each layer needs a cache of its own. (With two layers or more it raises.)
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
                logits = model.read_on(unread, start, caches)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids

# %% right: slice-of-what-is-unread
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def draw(logits):
        probabilities = next_token_probabilities(logits, temperature, top_k)
        return torch.multinomial(probabilities, 1, generator=generator)
    mode, longest = model.training, ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    model.eval()
    try:
        with torch.no_grad():
            read = 0
            while ids.size(1) < longest:
                logits = model.read_on(ids[:, read:], read, caches)
                read = ids.size(1)
                ids = torch.hstack([ids, draw(logits)])
    finally:
        model.train(mode)
    return ids

# %% right: written-into-place
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    batch, prompt = ids.shape
    total = prompt + max_new_tokens
    seq = F.pad(ids, (0, max_new_tokens))
    try:
        model.eval()
        with torch.no_grad():
            caches = [KeyValueCache(total) for _ in range(len(model.encoder.layers))]
            begin = 0
            for end in range(prompt, total):
                logits = model.read_on(seq[:, begin:end], begin, caches)
                probs = next_token_probabilities(logits, temperature, top_k)
                seq[:, end] = torch.multinomial(probs, 1, generator=generator).squeeze(1)
                begin = end
    finally:
        model.train(was_training)
    return seq
