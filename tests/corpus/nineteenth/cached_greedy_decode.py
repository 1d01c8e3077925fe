# %% wrong: only-the-newest-given | step is given the newest ids alone, as generation with past_key_values would do. It has to be given all ids so far (it reads only the newest itself): from them it takes the position of the newest one, and the mask that hides padding.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            input_ids = torch.full_like(src[:, :1], bos_id)
            generated = [input_ids]
            unfinished = torch.ones_like(src[:, 0])
            while len(generated) < max_len and unfinished.max() > 0:
                next_token_logits = decoder.step(input_ids)
                next_tokens = next_token_logits.argmax(dim=-1)
                next_tokens = next_tokens * unfinished + model.pad_id * (1 - unfinished)
                input_ids = next_tokens[:, None]
                generated.append(input_ids)
                unfinished = unfinished * (next_tokens != eos_id)
    finally:
        model.train(was_training)
    return torch.cat(generated, dim=-1)

# %% wrong: padding-ends-too | A row counts as ended also when the model itself has written padding; only eos_id ends a row, as in lesson 10.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ids.size(1) == max_len):
                log_probs = decoder.step(ids)
                token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = (token == eos_id) | (token == model.pad_id)
    finally:
        model.train(was_training)
    return ids

# %% wrong: mode-lost-after-an-error | There is no try and finally: the mode is put back in the last lines only, so if something goes wrong on the way, the model stays in eval mode. It has to be left in its mode even then.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        decoder = CachedDecoder(model, src, max_len)
        ids = src.new_full((src.size(0), 1), bos_id)
        going = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
        for _ in range(1, max_len):
            if not going.any():
                break
            token = decoder.step(ids).max(dim=-1).indices
            token = torch.where(going, token, model.pad_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            going = going & (token != eos_id)
    model.train(was_training)
    return ids

# %% wrong: source-read-before-eval | The CachedDecoder, which reads the source at once, is made before the model is put into eval mode (and outside of no_grad). A model in train mode then reads the source with dropout, so the ids are not those of greedy_decode.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    decoder = CachedDecoder(model, src, max_len)
    was_training = model.training
    try:
        model.eval()
        with torch.no_grad():
            columns = [src.new_full((src.size(0),), bos_id)]
            ended = columns[0] != bos_id
            while len(columns) < max_len and not ended.all():
                log_probs = decoder.step(torch.stack(columns, dim=1))
                token = log_probs.topk(1).indices[:, 0].masked_fill(ended, model.pad_id)
                columns.append(token)
                ended = ended | (token == eos_id)
            return torch.stack(columns, dim=1)
    finally:
        model.train(was_training)

# %% wrong: filled-with-eos-and-one-too-long | Two mistakes. Rows that have ended are filled with eos_id and not with padding. And the loop still runs when the ids are max_len long, so they may become max_len + 1 long, although bos_id counts.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while ids.size(1) <= max_len and not ended.all():
                token = decoder.step(ids).argmax(dim=-1)
                token = token.masked_fill(ended, eos_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    return ids

# %% right: room-for-the-ids
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    try:
        model.eval()
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            seq = src.new_full((src.size(0), max_len), model.pad_id)
            seq[:, 0] = bos_id
            active = seq[:, 0] == bos_id
            cur_len = 1
            while cur_len < max_len and active.any():
                log_probs = decoder.step(seq[:, :cur_len])
                seq[:, cur_len] = log_probs.max(dim=1).indices.masked_fill(~active, model.pad_id)
                active = active & (seq[:, cur_len] != eos_id)
                cur_len += 1
    finally:
        model.train(was_training)
    return seq[:, :cur_len]
