# %% wrong: forgets_who_had_ended | ended is set anew at each step from the token just written. A row that had ended writes padding next, which is not eos, so it counts as going on again and writes real tokens after its end.
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
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = token == eos_id
    model.train(was_training)
    return ids
# %% wrong: bos_not_counted | The loop goes on while the rows have at most max_len tokens, so that the result may be max_len + 1 long. bos counts, too: it stops when the rows are max_len long.
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
            token = torch.where(ended, torch.full_like(likeliest, model.pad_id), likeliest)
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
# %% wrong: own_padding_ends_a_row | A row counts as ended as well when the model itself writes padding. Only eos ends a row: a model may write padding and continue after it.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        seen = padding_mask(src, model.pad_id)
        memory = model.encode(src, seen)
        columns = [src.new_full((src.size(0),), bos_id)]
        done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
        for _ in range(max_len - 1):
            if done.all():
                break
            so_far = torch.stack(columns, dim=1)
            vectors = model.decode(so_far, memory, seen, target_mask(so_far, model.pad_id))
            new = model.generator(vectors[:, -1]).argmax(dim=-1).to(src.dtype)
            new = new.masked_fill(done, model.pad_id)
            done = (new == eos_id) | (new == model.pad_id)
            columns.append(new)
    model.train(mode)
    return torch.stack(columns, dim=1)
# %% wrong: own_returns_all_columns | The ids are written into a table of max_len columns, and the whole table is returned. Where all rows have ended before, the result has columns of padding alone behind its last token: it has to stop where the last row has ended.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    rows = src.size(0)
    table = torch.full((rows, max_len), model.pad_id, dtype=src.dtype, device=src.device)
    table[:, 0] = bos_id
    going = torch.ones(rows, dtype=torch.bool, device=src.device)
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        for place in range(1, max_len):
            if not going.any():
                break
            prefix = table[:, :place]
            decoded = model.decode(prefix, memory, src_mask, target_mask(prefix, model.pad_id))
            best = model.generator(decoded[:, -1]).max(dim=-1).indices
            table[going, place] = best[going].to(src.dtype)
            going = going & (best != eos_id)
    model.train(mode)
    return table
