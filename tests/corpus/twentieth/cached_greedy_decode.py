# %% wrong: gpt-fast-newest-token-only | step is given the newest token alone, as with gpt-fast's decode_one_token, instead of all ids so far. The decoder takes the token's position and the padding mask from ids, so every token seems to stand at position 0 and the mask has one place only.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            cur_token = torch.full_like(src[:, :1], bos_id)
            new_tokens = [cur_token]
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while len(new_tokens) < max_len and not ended.all():
                logits = decoder.step(cur_token)
                next_token = torch.argmax(logits, dim=-1).masked_fill(ended, model.pad_id)
                ended = ended | (next_token == eos_id)
                cur_token = next_token.unsqueeze(1)
                new_tokens.append(cur_token)
    finally:
        model.train(was_training)
    return torch.cat(new_tokens, dim=1)

# %% wrong: encoder-runs-before-eval | The CachedDecoder is made before model.eval(). It reads the source when it is made, so in a model that is being trained the memory comes with dropout; the model has to be in eval mode already.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    with torch.no_grad():
        decoder = CachedDecoder(model, src, max_len)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        try:
            model.eval()
            while not (ended.all() or ids.size(1) == max_len):
                token = decoder.step(ids).argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id)
        finally:
            model.train(was_training)
    return ids

# %% wrong: padding-counts-as-the-end | A row whose newest token is padding counts as ended, as if only rows that have ended held padding. A model can write padding and continue; only eos_id ends a row.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            for _ in range(max_len - 1):
                last = ids[:, -1]
                ended = (last == eos_id) | (last == model.pad_id)
                if ended.all():
                    break
                said = decoder.step(ids).max(dim=1).indices
                token = torch.where(ended, torch.full_like(said, model.pad_id), said)
                ids = torch.cat([ids, token[:, None]], dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: filled-up-with-eos | Rows that have ended are filled up with eos_id (as when the pad token is set to the eos token) instead of with padding, so they hold several ends, unlike what greedy_decode writes.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            input_ids = src.new_full((src.size(0), 1), bos_id)
            unfinished_sequences = torch.ones_like(src[:, 0])
            while unfinished_sequences.max() == 1 and input_ids.shape[1] < max_len:
                next_token_scores = decoder.step(input_ids)
                next_tokens = torch.argmax(next_token_scores, dim=-1)
                next_tokens = next_tokens * unfinished_sequences + eos_id * (
                    1 - unfinished_sequences
                )
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished_sequences = unfinished_sequences.mul((next_tokens != eos_id).long())
    finally:
        model.train(was_training)
    return input_ids

# %% wrong: mode-lost-on-error | The model gets its mode back only if all goes well: without try and finally an error in the loop (or in the encoder) leaves it in eval mode, and it must be left in its mode even if something goes wrong.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        decoder = CachedDecoder(model, src, max_len)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while not (ended.all() or ids.size(1) == max_len):
            log_probs = decoder.step(ids)
            token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
            ids = torch.hstack([ids, token.unsqueeze(1)])
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: bos-not-counted | <bos> isn't counted: the loop takes max_len steps, so a row that doesn't end is max_len + 1 ids long, where max_len counts <bos>.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            written = 0
            while written < max_len and not bool(ended.all()):
                said = decoder.step(ids).topk(1, dim=-1).indices.squeeze(-1)
                said[ended] = model.pad_id
                ids = torch.column_stack([ids, said])
                ended = ended.logical_or(said.eq(eos_id))
                written += 1
    finally:
        model.train(was_training)
    return ids

# %% right: hf-unfinished-rows
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            output = src.new_full((src.size(0), max_len), model.pad_id)
            output[:, 0] = bos_id
            unfinished = torch.ones_like(src[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and unfinished.any():
                scores = decoder.step(output[:, :length])
                next_tokens = torch.argmax(scores, dim=-1)
                output[:, length] = torch.where(
                    unfinished, next_tokens, torch.full_like(next_tokens, model.pad_id)
                )
                unfinished = unfinished & (next_tokens != eos_id)
                length += 1
    finally:
        model.train(training)
    return output[:, :length]
