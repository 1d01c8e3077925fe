# %% wrong: mode-without-finally | The model's mode is put back in the last line, without try and finally, so if something goes wrong on the way, the model stays in eval mode. The fine print asks that it is left in its mode even then.
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

# %% wrong: gpt-fast-newest-token-alone | step is given the newest token alone, as models with a cache are called in gpt-fast or Hugging Face. This CachedDecoder takes all ids so far and reads the newest by itself; from one token it concludes that its position is 0, at every step, and its mask knows of one position only.
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
                log_probs = decoder.step(cur_token)
                next_token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                ended = ended | (next_token == eos_id)
                cur_token = next_token.view(-1, 1)
                new_tokens.append(cur_token)
            ids = torch.cat(new_tokens, dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: max-len-new-tokens | max_len tokens are added to the bos_id that is there already, as if max_len counted new tokens, so a row that never ends is max_len + 1 long. Lesson 10's greedy_decode counts the bos, and the ids are to be the same.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len):
                if ended.all():
                    break
                _, token = decoder.step(ids).max(dim=-1)
                token = torch.where(ended, model.pad_id, token)
                ids = torch.cat([ids, token[:, None]], dim=-1)
                ended = ended.logical_or(token.eq(eos_id))
    finally:
        model.train(was_training)
    return ids

# %% wrong: decoder-before-eval | The CachedDecoder, which encodes the source, is made before the model is put into eval mode. If the model was in train mode, its encoder drops at random while it reads the source; only the steps run in eval mode. CachedDecoder expects a model that is in eval mode already.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    with torch.no_grad():
        decoder = CachedDecoder(model, src, max_len)
        def write():
            ids = src.new_full((src.size(0), 1), bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while ids.size(1) < max_len and not ended.all():
                token = decoder.step(ids).argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id)
            return ids
        try:
            model.eval()
            return write()
        finally:
            model.train(was_training)

# %% wrong: first-end-stops-all-and-train-at-the-end | Two mistakes. The loop stops as soon as any row has ended, so the longer translations are cut off; it has to go on until all have ended. And the model is put into train mode at the end whatever mode it was in before.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not ended.any() and ids.size(1) < max_len:
                log_probs = decoder.step(ids)
                token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id)
    finally:
        model.train()
    return ids

# %% right: unfinished-rows
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model.eval(), src, max_len)
            columns = [src.new_full((src.size(0),), bos_id)]
            unfinished = torch.ones_like(columns[0], dtype=torch.bool)
            for _ in range(max_len - 1):
                log_probs = decoder.step(torch.stack(columns, dim=1))
                token = torch.where(unfinished, log_probs.argmax(dim=-1), model.pad_id)
                columns.append(token)
                unfinished = unfinished & (token != eos_id)
                if not unfinished.any():
                    break
    finally:
        model.train(mode)
    return torch.stack(columns, dim=1)
