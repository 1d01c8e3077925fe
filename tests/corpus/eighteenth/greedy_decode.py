# %% wrong: hf-unfinished-overwritten | Which rows are unfinished is computed anew from the newest token alone and not kept from step to step. A row that has ended gets padding, padding is not eos_id, so in the next step the row counts as unfinished again and goes on writing after its end.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            input_ids = torch.full_like(src[:, :1], bos_id)
            unfinished = torch.ones_like(src[:, 0], dtype=torch.bool)
            while unfinished.any() and input_ids.size(1) < max_len:
                tgt_mask = target_mask(input_ids, model.pad_id)
                decoded = model.decode(input_ids, memory, src_mask, tgt_mask)
                next_token_scores = model.generator(decoded[:, -1])
                next_tokens = torch.argmax(next_token_scores, dim=-1)
                next_tokens = torch.where(unfinished, next_tokens, model.pad_id)
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished = next_tokens != eos_id
    finally:
        model.train(was_training)
    return input_ids

# %% wrong: nanogpt-max-new-tokens | The loop adds up to max_len tokens to the bos_id that is there already, as if max_len counted new tokens, so a row that doesn't end gets max_len + 1 places. In the lesson the bos counts: length is at most max_len.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            idx = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len):
                decoded = model.decode(idx, memory, src_mask, target_mask(idx, model.pad_id))
                log_probs = model.generator(decoded[:, -1])
                idx_next = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                idx = torch.cat((idx, idx_next.unsqueeze(1)), dim=1)
                ended = ended | (idx_next == eos_id)
                if ended.all():
                    break
    finally:
        model.train(was_training)
    return idx

# %% wrong: padding-ends-a-row | A row counts as ended also when the model itself has written padding. Only eos_id ends a row; a model may write padding and then continues.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            last_ones = src.new_tensor([eos_id, model.pad_id])
            while ids.size(1) < max_len and not ended.all():
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                likeliest = log_probs.argmax(dim=-1)
                token = likeliest.masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token[:, None]])
                ended = torch.isin(token, last_ones)
    finally:
        model.train(was_training)
    return ids

# %% wrong: stops-only-if-all-end-together | The loop stops only when all rows write eos_id in the same step. Rows that end at different times never do (an ended row writes padding), so the result is filled with columns of padding up to max_len. It has to stop as soon as all rows have ended, whenever each of them did.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            columns = [src.new_full((src.size(0),), bos_id)]
            ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
            for _ in range(max_len - 1):
                ids = torch.stack(columns, dim=1)
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                likeliest = model.generator(decoded[:, -1]).argmax(dim=-1)
                token = torch.where(ended, model.pad_id, likeliest)
                columns.append(token)
                if (token == eos_id).all():
                    break
                ended = ended | (token == eos_id)
            ids = torch.stack(columns, dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: annotated-causal-mask-only | The decoder gets a causal mask alone, as in The Annotated Transformer's greedy_decode, and not target_mask, so padding among the ids is not hidden. A model may write padding and then continue, and its later positions look at that padding.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def subsequent_mask(size):
        square = torch.ones(1, 1, size, size, dtype=torch.bool, device=src.device)
        return square.tril()
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ys = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ys.size(1) >= max_len):
                out = model.decode(ys, memory, src_mask, subsequent_mask(ys.size(1)))
                prob = model.generator(out[:, -1])
                _, next_word = torch.max(prob, dim=1)
                next_word = next_word.masked_fill(ended, model.pad_id)
                ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
                ended = ended | (next_word == eos_id)
    finally:
        model.train(was_training)
    return ys

# %% wrong: tutorial-encode-in-the-loop | Two mistakes. The source is encoded again in each step, inside the loop, although it is to be read once. And at the end the model is put into train mode always, and not into the mode that it was in before.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    try:
        with torch.no_grad():
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not ended.all() and ids.size(1) < max_len:
                src_mask = padding_mask(src, model.pad_id)
                tgt_mask = target_mask(ids, model.pad_id)
                memory = model.encode(src, src_mask)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                token = model.generator(decoded[:, -1]).argmax(dim=-1)
                token = token.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended |= token == eos_id
    finally:
        model.train()
    return ids

# %% right: room-made-at-once
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            room = src.new_full((src.size(0), max_len), model.pad_id)
            room[:, 0] = bos_id
            alive = torch.ones_like(src[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and alive.any():
                ids = room[:, :length].clone()
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                token = model.generator(decoded[:, -1]).argmax(dim=-1)
                room[:, length] = torch.where(alive, token, model.pad_id)
                alive = alive & (token != eos_id)
                length += 1
    finally:
        model.train(was_training)
    return room[:, :length]
