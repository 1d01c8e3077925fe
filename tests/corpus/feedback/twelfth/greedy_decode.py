# %% wrong: ended_rows_repeat_eos | TRUE CAUSE: the blank padded fills the rows that have ended with eos_id instead of model.pad_id, so after its eos a shorter row holds more eos tokens and no padding
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
            token = likeliest.masked_fill(ended, eos_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: ended_forgotten | TRUE CAUSE: ended is replaced by whether the newest token is eos instead of being joined with what had ended before, so a row that has ended gets one padding and is then alive again and goes on writing
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

# %% wrong: own_buffer_never_trimmed | TRUE CAUSE: the result is a buffer of max_len columns filled with padding that is returned whole, so where all rows end early the ids are max_len long instead of stopping at the last eos
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    pad = model.pad_id
    with torch.no_grad():
        see = padding_mask(src, pad)
        memory = model.encode(src, see)
        out = src.new_full((len(src), max_len), pad)
        out[:, 0] = bos_id
        done = torch.zeros(len(src), dtype=torch.bool, device=src.device)
        for i in range(1, max_len):
            if done.all():
                break
            prefix = out[:, :i]
            hidden = model.decode(prefix, memory, see, target_mask(prefix, pad))
            best = model.generator(hidden[:, -1]).argmax(-1)
            out[~done, i] = best[~done]
            done |= out[:, i] == eos_id
    model.train(mode)
    return out

# %% wrong: own_returns_inside_the_loop | TRUE CAUSE: when all rows have ended the function returns from inside the loop, before the line that restores the mode, so a model that was in training mode is left in eval mode
def greedy_decode(model, src, max_len, bos_id, eos_id):
    before = model.training
    model.eval()
    with torch.no_grad():
        seen = padding_mask(src, model.pad_id)
        memory = model.encode(src, seen)
        columns = [torch.full_like(src[:, 0], bos_id)]
        alive = torch.ones_like(src[:, 0]).bool()
        while len(columns) < max_len:
            ids = torch.stack(columns, dim=1)
            x = model.decode(ids, memory, seen, target_mask(ids, model.pad_id))
            new = torch.where(alive, model.generator(x[:, -1]).argmax(dim=1), model.pad_id)
            columns.append(new)
            alive = alive & (new != eos_id)
            if not alive.any():
                return torch.stack(columns, dim=1)
    model.train(before)
    return torch.stack(columns, dim=1)
