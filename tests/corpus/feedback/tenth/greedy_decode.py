# %% wrong: ended_only_this_step | TRUE CAUSE: The blank `ended` is `token == eos_id` without `ended |`, so a row counts as ended for one step only (gets one padding) and then goes on writing tokens after its eos_id.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len.

    Each row begins with bos_id; after its eos_id it holds padding. All stop when the last row
    has ended. The source is read once. The model decodes in eval mode, without gradients, and
    is left in the mode that it was in.
    """
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
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = token == eos_id
    model.train(was_training)
    return ids

# %% wrong: padding_in_place_of_eos | TRUE CAUSE: The blank `padded` pads a row already at the step in which it predicts eos_id (ended is updated into the condition before the fill), so eos_id is never written and a padding id stands in its place.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len.

    Each row begins with bos_id; after its eos_id it holds padding. All stop when the last row
    has ended. The source is read once. The model decodes in eval mode, without gradients, and
    is left in the mode that it was in.
    """
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
            token = likeliest.masked_fill(ended | (likeliest == eos_id), model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (likeliest == eos_id)
    model.train(was_training)
    return ids

# %% wrong: own_buffer_not_trimmed | TRUE CAUSE: The ids are written into a buffer of max_len columns which is returned whole, so when all rows end early the result is still max_len wide, with columns of padding after the last row has ended.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    n = src.shape[0]
    out = torch.full((n, max_len), model.pad_id, dtype=src.dtype, device=src.device)
    out[:, 0] = bos_id
    done = torch.zeros(n, dtype=torch.bool, device=src.device)
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        for t in range(1, max_len):
            prefix = out[:, :t]
            hidden = model.decode(prefix, memory, src_mask, target_mask(prefix, model.pad_id))
            nxt = model.generator(hidden[:, -1]).argmax(-1)
            out[~done, t] = nxt[~done]
            done |= out[:, t] == eos_id
            if done.all():
                break
    model.train(mode)
    return out

# %% wrong: own_early_return_stays_in_eval | TRUE CAUSE: When all rows have ended the function returns from inside the loop and skips `model.train(was_training)`, so a model that was in training mode is left in eval mode unless max_len was reached.
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()

    source_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, source_mask)

    columns = [torch.full_like(src[:, 0], bos_id)]
    alive = torch.ones_like(columns[0], dtype=torch.bool)
    while len(columns) < max_len:
        ys = torch.stack(columns, dim=1)
        if not alive.any():
            return ys
        x = model.decode(ys, memory, source_mask, target_mask(ys, model.pad_id))
        _, best = model.generator(x[:, -1, :]).max(dim=1)
        best = torch.where(alive, best, torch.full_like(best, model.pad_id))
        columns.append(best)
        alive = alive & (best != eos_id)

    model.train(was_training)
    return torch.stack(columns, dim=1)
