# %% wrong: own_end_of_the_prompt_is_read_twice | The prompt is read as a whole to fill the caches, and then its last token is read once more in the loop's first step: its key and value are in the caches twice, where each position should be read once.
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    places = []
    for part in model.modules():
        for name, child in part.named_children():
            if hasattr(child, "w_q"):
                places.append((part, name, child))
    try:
        for part, name, attention in places:
            setattr(part, name, CachedMultiHeadAttention(attention))
        with torch.no_grad():
            model(ids, start=0)  # the caches now know the prompt
            newest = ids[:, -1:]
            while max_new_tokens > 0:
                logits = model(newest, start=ids.size(1) - 1).squeeze(1)  # (N, V)
                shares = next_token_probabilities(logits, temperature, top_k)
                newest = torch.multinomial(shares, 1, generator=generator)
                ids = torch.hstack([ids, newest])
                max_new_tokens -= 1
    finally:
        for part, name, attention in places:
            setattr(part, name, attention)
        model.train(was_training)
    return ids
# %% wrong: newest_token_one_too_late | after the prompt start is the whole length of ids, which includes the newest, unread token, so each new token stands one position too late
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    was_training = model.training
    model.eval()
    places = [
        (part, name, child)
        for part in model.modules()
        for name, child in part.named_children()
        if hasattr(child, "w_q")
    ]
    for part, name, attention in places:
        setattr(part, name, CachedMultiHeadAttention(attention))
    unread = ids
    with torch.no_grad():
        for _ in range(max_new_tokens):
            start = 0 if unread is ids else ids.size(1)
            logits = model(unread, start=start)[:, -1]  # (N, V)
            probabilities = next_token_probabilities(logits, temperature, top_k)
            token = torch.multinomial(probabilities, 1, generator=generator)  # (N, 1)
            ids = torch.cat([ids, token], dim=1)
            unread = token
    for part, name, attention in places:
        setattr(part, name, attention)
    model.train(was_training)
    return ids
