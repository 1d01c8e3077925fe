# %% wrong: decoder-made-in-the-loop | A new CachedDecoder is made at every step: its caches are empty, so the newest token sees nothing of what was written before (and the source is read again each time).
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len - 1):
                decoder = CachedDecoder(model, src, max_len)
                token = decoder.step(ids).argmax(dim=-1)
                token = token.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token[:, None]], dim=1)
                ended = ended | (token == eos_id)
                if ended.all():
                    break
    finally:
        model.train(was_training)
    return ids

# %% wrong: newest-token-alone-passed | As with Hugging Face's past_key_values, only the newest token is passed to decoder.step, which needs all ids so far: it takes each token for the first one (position 0) and makes its mask from it alone.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            next_tokens = src.new_full((src.size(0), 1), bos_id)
            input_ids = next_tokens
            unfinished = src.new_ones(src.size(0))
            while input_ids.size(1) < max_len and unfinished.any():
                scores = decoder.step(next_tokens)
                best = scores.argmax(dim=-1) * unfinished + model.pad_id * (1 - unfinished)
                next_tokens = best.unsqueeze(1)
                input_ids = torch.cat([input_ids, next_tokens], dim=1)
                unfinished = unfinished * (best != eos_id)
    finally:
        model.train(was_training)
    return input_ids

# %% wrong: all-must-end-at-once | The loop stops when all rows write eos in the same step, not when each has ended at some time: rows that end at different times are padded on until max_len.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while ids.size(1) < max_len:
                token = decoder.step(ids).argmax(dim=-1)
                token = torch.where(ended, model.pad_id, token)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = ended | (token == eos_id)
                if (token == eos_id).all():
                    break
    finally:
        model.train(was_training)
    return ids

# %% right: for-and-break
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    try:
        model.eval()
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            columns = [src.new_full((src.size(0),), bos_id)]
            alive = torch.ones_like(columns[0], dtype=torch.bool)
            for _ in range(1, max_len):
                log_probs = decoder.step(torch.stack(columns, dim=1))
                columns.append(torch.where(alive, log_probs.argmax(dim=1), model.pad_id))
                alive = alive & (columns[-1] != eos_id)
                if not alive.any():
                    break
    finally:
        model.train(was_training)
    return torch.stack(columns, dim=1)
