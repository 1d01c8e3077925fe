# %% wrong: ended-is-overwritten | ended is set to "the token of this step is eos_id" instead of being joined with what it was. A row that ended a step ago got padding in this one, counts as not ended any more, and goes on writing; the loop stops only if all rows end at the same step (or at max_len).
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not ended.all() and ids.size(1) < max_len:
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                likeliest = log_probs.argmax(dim=-1)
                token = likeliest.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = token == eos_id
    finally:
        model.train(was_training)
    return ids

# %% wrong: max-len-new-tokens | max_len is taken for the number of new tokens (as max_new_tokens), so a translation that doesn't end is max_len + 1 ids long; bos_id counts, so there may be max_len - 1 steps at most.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def next_token(ids):
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        return torch.topk(model.generator(decoded[:, -1]), k=1, dim=-1).indices
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = src.new_full((src.size(0), 1), bos_id)
            ended = torch.zeros_like(ids, dtype=torch.bool)
            for _ in range(max_len):
                token = next_token(ids).masked_fill(ended, model.pad_id)
                ids = torch.cat((ids, token), dim=1)
                ended = ended.logical_or(token.eq(eos_id))
                if bool(ended.all()):
                    break
    finally:
        model.train(was_training)
    return ids

# %% wrong: annotated-subsequent-mask-only | The decoder gets the causal mask alone, as in the Annotated Transformer, instead of the target mask that hides padding, too. If the model writes padding and continues, later tokens see that padding, which they did not in training.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def subsequent_mask(size):
        return torch.ones(1, 1, size, size, dtype=torch.bool, device=src.device).tril()
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ys = torch.full((src.size(0), 1), bos_id, dtype=src.dtype, device=src.device)
            ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
            for _ in range(max_len - 1):
                if ended.all():
                    break
                out = model.decode(ys, memory, src_mask, subsequent_mask(ys.size(1)))
                prob = model.generator(out[:, -1])
                _, next_word = torch.max(prob, dim=1)
                next_word = next_word.masked_fill(ended, model.pad_id)
                ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
                ended = ended | (next_word == eos_id)
    finally:
        model.train(was_training)
    return ys

# %% wrong: nanogpt-whole-model-each-step | The whole model is called at every step, as nanoGPT's generate does with its decoder-only model, so the encoder reads the source again for each token; the source doesn't change and must be read once.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            idx = torch.full_like(src[:, :1], bos_id)
            done = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while idx.size(1) < max_len:
                logits = model(src, idx)
                logits = logits[:, -1, :]
                idx_next = torch.argmax(F.softmax(logits, dim=-1), dim=-1, keepdim=True)
                idx_next = idx_next.masked_fill(done[:, None], model.pad_id)
                idx = torch.cat((idx, idx_next), dim=1)
                done = done | (idx_next[:, 0] == eos_id)
                if done.all():
                    break
    finally:
        model.train(was_training)
    return idx

# %% wrong: no-padding-after-the-end | What a row writes after its eos_id is kept: the token isn't replaced by padding in rows that have ended, so they go on with whatever the model predicts while they wait for the others.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            columns = [torch.full_like(src[:, 0], bos_id)]
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while len(columns) < max_len and not ended.all():
                trg = torch.stack(columns, dim=1)
                output = model.decode(trg, memory, src_mask, target_mask(trg, model.pad_id))
                pred_token = model.generator(output[:, -1]).argmax(-1)
                columns.append(pred_token)
                ended = ended | (pred_token == eos_id)
            ids = torch.stack(columns, dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: padding-ends-a-row | A row counts as ended when it writes eos_id or pad_id. Only eos_id ends a row; a model may write padding like any other token and then continues.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            stops = torch.tensor([eos_id, model.pad_id], device=src.device)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ids.size(1) >= max_len):
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                likeliest = model.generator(decoded[:, -1]).argmax(dim=1)
                token = torch.where(ended, torch.full_like(likeliest, model.pad_id), likeliest)
                ids = torch.hstack([ids, token[:, None]])
                ended = torch.logical_or(ended, torch.isin(token, stops))
    finally:
        model.train(was_training)
    return ids

# %% wrong: first-end-stops-all-and-train-at-the-end | Two mistakes. The loop stops as soon as any row has ended, so the longer translations are cut off; it has to go on until all have ended. And at the end the model is always put into train mode instead of the mode that it was in.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not ended.any() and ids.size(1) < max_len:
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                likeliest = log_probs.max(dim=-1).indices
                token = likeliest.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(-1)], dim=-1)
                ended |= token == eos_id
    finally:
        model.train()
    return ids

# %% right: room-for-all-then-cut
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            buffer = src.new_full((src.size(0), max_len), model.pad_id)
            buffer[:, 0] = bos_id
            unfinished = torch.ones_like(src[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and unfinished.any():
                so_far = buffer[:, :length]
                mask = target_mask(so_far, model.pad_id)
                last = model.decode(so_far, memory, src_mask, mask)[:, -1]
                said = torch.argmax(model.generator(last), dim=-1)
                buffer[unfinished, length] = said[unfinished]
                unfinished = unfinished & (buffer[:, length] != eos_id)
                length += 1
    finally:
        model.train(mode)
    return buffer[:, :length]
