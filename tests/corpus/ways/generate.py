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
# %% right: field_prefill_and_decode_by_exponentials
def multinomial_sample_one(probs, generator):
    q = torch.empty_like(probs).exponential_(1, generator=generator)
    return torch.argmax(probs / q, dim=-1, keepdim=True).to(dtype=torch.long)
def sample(logits, temperature, top_k, generator):
    return multinomial_sample_one(next_token_probabilities(logits, temperature, top_k), generator)
def decode_n_tokens(model, cur_token, input_pos, num_new_tokens, caches, *sampling):
    new_tokens = []
    for _ in range(num_new_tokens):
        cur_token = sample(model.read_on(cur_token, input_pos, caches), *sampling)
        input_pos += 1
        new_tokens.append(cur_token)
    return new_tokens
@torch.no_grad()
def generate(model, ids, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    if max_new_tokens == 0:
        return ids.clone()
    training = model.training
    model.eval()
    T = ids.size(1)
    seq = torch.empty(ids.size(0), T + max_new_tokens, dtype=ids.dtype, device=ids.device)
    seq[:, :T] = ids
    caches = [KeyValueCache(T + max_new_tokens) for _ in model.encoder.layers]
    sampling = (temperature, top_k, generator)
    next_token = sample(model.read_on(ids, 0, caches), *sampling)
    seq[:, T : T + 1] = next_token
    rest = decode_n_tokens(model, next_token, T, max_new_tokens - 1, caches, *sampling)
    if rest:
        seq[:, T + 1 :] = torch.cat(rest, dim=1)
    model.train(training)
    return seq
# %% right: field_greedy_takes_topk_and_idx_next
def generate(model, idx, max_new_tokens, temperature=1.0, top_k=None, generator=None):
    mode = model.training
    model.eval()
    with torch.inference_mode():
        past = [KeyValueCache(idx.size(1) + max_new_tokens) for _ in model.encoder.layers]
        seen = 0
        for _ in range(max_new_tokens):
            idx_cond = idx[:, seen:]
            logits = model.read_on(idx_cond, seen, past)
            seen = idx.size(1)
            probs = next_token_probabilities(logits, temperature, top_k)
            if temperature == 0:
                _, idx_next = torch.topk(probs, k=1, dim=-1)
            else:
                idx_next = torch.multinomial(probs, num_samples=1, generator=generator)
            idx = torch.cat((idx, idx_next), dim=1)
    model.train(mode)
    return idx
