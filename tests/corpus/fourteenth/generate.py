# %% wrong: start_counts_the_unread | start is ids.size(1), all tokens so far, the unread ones included. It should be how many were read before, so every position is too high: the prompt begins at T instead of 0.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    unread = ids
    try:
        for part, name, attention in places:
            setattr(part, name, CachedMultiHeadAttention(attention))
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1)
                logits = model(unread, start=start)[:, -1]  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        for part, name, attention in places:
            setattr(part, name, attention)
        model.train(was_training)
    return ids
# %% wrong: generator_not_used | torch.multinomial is called without the generator, so all numbers come from torch's global one. The same generator seed does not write the same text.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    unread = ids
    try:
        for part, name, attention in places:
            setattr(part, name, CachedMultiHeadAttention(attention))
        with torch.no_grad():
            for _ in range(max_new_tokens):
                start = ids.size(1) - unread.size(1)
                logits = model(unread, start=start)[:, -1]  # (N, V)
                probabilities = next_token_probabilities(logits, temperature, top_k)
                token = torch.multinomial(probabilities, num_samples=1)  # (N, 1)
                ids = torch.cat([ids, token], dim=1)
                unread = token
    finally:
        for part, name, attention in places:
            setattr(part, name, attention)
        model.train(was_training)
    return ids
# %% wrong: own_reads_everything_again | Each step gives the whole text to the model, from position 0, as if there were no cache. From the second step on the caches hold earlier positions twice, and the causal mask no longer fits their keys; only the newest token should be read.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    replaced = []
    for part in list(model.modules()):
        for name, child in list(part.named_children()):
            if hasattr(child, "w_q"):
                replaced.append((part, name, child))
    text = ids
    try:
        model.eval()
        for part, name, attention in replaced:
            setattr(part, name, CachedMultiHeadAttention(attention))
        with torch.no_grad():
            while text.size(1) < ids.size(1) + max_new_tokens:
                logits = model(text, start=0)[:, -1, :]
                shares = next_token_probabilities(logits, temperature, top_k)
                drawn = torch.multinomial(shares, 1, generator=generator)
                text = torch.hstack([text, drawn])
    finally:
        for part, name, attention in replaced:
            setattr(part, name, attention)
        model.train(mode)
    return text
# %% wrong: own_mode_noted_too_late | The mode is noted after model.eval(), so it is always False. A model that was in train mode is left in eval mode.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    def install(make):
        for part, name, attention in attentions:
            setattr(part, name, make(attention))
    model.eval()
    attentions = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    training = model.training
    pieces, read = [ids], 0
    try:
        install(CachedMultiHeadAttention)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                logits = model(pieces[-1], start=read)[:, -1]
                read += pieces[-1].size(1)
                shares = next_token_probabilities(logits, temperature, top_k)
                pieces.append(torch.multinomial(shares, 1, generator=generator))
    finally:
        install(lambda attention: attention)
        model.train(training)
    return torch.cat(pieces, dim=1)
