# %% wrong: one_too_long | TRUE CAUSE: the loop goes on while the length is at most max_len, so rows become max_len + 1 long
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) <= max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: eos_as_padding | TRUE CAUSE: rows that have ended are filled up with eos_id instead of padding
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = torch.where(ended, eos_id, likeliest)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: forgets_the_ended | TRUE CAUSE: ended is overwritten by what ends in this step, so rows that ended earlier go on after one padding
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = token == eos_id
    model.train(was_training)
    return ids

# %% wrong: first_row_ends_all | TRUE CAUSE: the loop stops as soon as any row has ended instead of when all have
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.shape[1] < max_len and not ended.any():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.topk(1).indices.squeeze(1)  # (N,)
            token = likeliest * ~ended + model.pad_id * ended
            ids = torch.hstack((ids, token[:, None]))
            ended = ended.logical_or(token.eq(eos_id))
    model.train(was_training)
    return ids

# %% wrong: encodes_each_time | TRUE CAUSE: the whole model is called for each token, so the source is encoded again at every step instead of once
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    ids = src.new_full((src.size(0), 1), bos_id)
    done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    with torch.no_grad():
        for _ in range(max_len - 1):
            if done.all():
                break
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            hidden = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            next_token = model.generator(hidden[:, -1]).argmax(-1)
            next_token[done] = model.pad_id
            ids = torch.cat((ids, next_token[:, None]), 1)
            done |= next_token == eos_id
    model.train(mode)
    return ids

# %% wrong: left_in_train_mode | TRUE CAUSE: the model is put in train mode at the end, even if it was in eval mode before
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    pad = model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask)
    ids = torch.full((len(src), 1), bos_id, dtype=src.dtype, device=src.device)
    alive = torch.ones(len(src), dtype=torch.bool, device=src.device)
    while alive.any() and ids.size(1) < max_len:
        out = model.decode(ids, memory, src_mask, target_mask(ids, pad))
        best = model.generator(out[:, -1, :]).max(dim=-1).indices
        best = torch.where(alive, best, torch.full_like(best, pad))
        ids = torch.cat([ids, best.unsqueeze(-1)], dim=-1)
        alive = alive & (best != eos_id)
    model.train()
    return ids

# %% wrong: cat_without_axis | TRUE CAUSE: the token (N,) is joined to ids (N, length) without an axis of its own, so cat raises
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)  # once: the source does not change
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat([ids, token], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: zeros_and_no_bos | TRUE CAUSE: two mistakes: rows that have ended are filled with 0 instead of model.pad_id; and bos is cut off from the result
def greedy_decode(model, src, max_len, bos_id, eos_id):
    training = model.training
    model.eval()
    with torch.no_grad():
        mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, mask)
        written = [torch.full_like(src[:, 0], bos_id)]
        going = torch.ones_like(src[:, 0])
        while len(written) < max_len and going.any():
            ids = torch.stack(written, dim=1)
            h = model.decode(ids, memory, mask, target_mask(ids, model.pad_id))
            token = model.generator(h[:, -1]).argmax(dim=1) * going
            written.append(token)
            going = going * (token != eos_id)
    model.train(training)
    return torch.stack(written, dim=1)[:, 1:]
