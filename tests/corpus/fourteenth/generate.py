# %% wrong: start_counts_the_unread | start is ids.size(1), all tokens so far, the unread ones included. It should be how many were read before, so every position is too high: the prompt begins at T instead of 0.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    longest = ids.size(1) + max_new_tokens
    caches = [KeyValueCache(longest) for _ in model.encoder.layers]
    unread = ids
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1)
                logits = model.read_on(unread, start, caches)  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids
# %% wrong: generator_not_used | torch.multinomial is called without the generator, so all numbers come from torch's global one. The same generator seed does not write the same text.
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
                logits = model.read_on(unread, start, caches)  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, num_samples=1)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        model.train(was_training)
    return ids
# %% wrong: own_reads_everything_again | Each step gives the whole text to the model, from position 0, as if there were no cache. From the second step on the caches hold earlier positions twice, and the causal mask no longer fits their keys; only the newest token should be read.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    text = ids
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    try:
        model.eval()
        with torch.no_grad():
            while text.size(1) < ids.size(1) + max_new_tokens:
                logits = model.read_on(text, 0, caches)
                shares = next_token_probabilities(logits, temperature, top_k)
                drawn = torch.multinomial(shares, 1, generator=generator)
                text = torch.hstack([text, drawn])
    finally:
        model.train(mode)
    return text
# %% wrong: own_mode_noted_too_late | The mode is noted after model.eval(), so it is always False. A model that was in train mode is left in eval mode.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    model.eval()
    training = model.training
    pieces, read = [ids], 0
    caches = [KeyValueCache(ids.size(1) + max_new_tokens) for _ in model.encoder.layers]
    try:
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model.read_on(pieces[-1], read, caches)
                read += pieces[-1].size(1)
                shares = next_token_probabilities(logits, temperature, top_k)
                pieces.append(torch.multinomial(shares, 1, generator=generator))
    finally:
        model.train(training)
    return torch.cat(pieces, dim=1)
