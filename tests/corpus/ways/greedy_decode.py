# %% right: for_and_break
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = src.new_full((src.size(0), 1), bos_id)
        going = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
        for _ in range(1, max_len):
            if not going.any():
                break
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            _, token = model.generator(decoded[:, -1]).max(dim=-1)
            token = torch.where(going, token, torch.full_like(token, model.pad_id))
            ids = torch.hstack([ids, token.unsqueeze(-1)])
            going = going & (token != eos_id)
    model.train(mode)
    return ids

# %% right: table_written_in_place
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len."""
    was_training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    table = src.new_full((src.size(0), max_len), model.pad_id)
    table[:, 0] = bos_id
    ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    length = 1
    while length < max_len and not bool(ended.all()):
        so_far = table[:, :length]
        tgt_mask = target_mask(so_far, model.pad_id)
        decoded = model.decode(so_far, memory, src_mask, tgt_mask)
        token = model.generator(decoded[:, -1]).topk(1, dim=-1).indices.squeeze(-1)
        table[~ended, length] = token[~ended]
        ended = ended | (token == eos_id)
        length += 1
    model.train(was_training)
    return table[:, :length]


# %% right: own_for_loop_try_finally
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        pad = model.pad_id
        src_mask = padding_mask(src, pad)
        memory = model.encode(src, src_mask)
        columns = [src.new_full((len(src),), bos_id)]
        alive = torch.ones(len(src), dtype=torch.bool, device=src.device)
        for _ in range(max_len - 1):
            if not alive.any():
                break
            so_far = torch.stack(columns, dim=1)
            h = model.decode(so_far, memory, src_mask, target_mask(so_far, pad))
            nxt = model.generator(h[:, -1]).argmax(-1)
            nxt = torch.where(alive, nxt, torch.full_like(nxt, pad))
            columns.append(nxt)
            alive = alive & (nxt != eos_id)
        return torch.stack(columns, dim=1)
    finally:
        model.train(mode)
# %% right: own_buffer_filled_in
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    n = src.shape[0]
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        written = src.new_full((n, max_len), model.pad_id)
        written[:, 0] = bos_id
        finished = [False] * n
        t = 1
        while t < max_len and not all(finished):
            so_far = written[:, :t]
            vectors = model.decode(so_far, memory, src_mask, target_mask(so_far, model.pad_id))
            choice = model.generator(vectors[:, -1]).max(dim=-1).indices.tolist()
            for i in range(n):
                if not finished[i]:
                    written[i, t] = choice[i]
                    finished[i] = choice[i] == eos_id
            t += 1
    model.train(was_training)
    return written[:, :t]


# %% right: tenth_own_buffer_and_trim
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            n = src.shape[0]
            out = src.new_full((n, max_len), model.pad_id)
            out[:, 0] = bos_id
            done = torch.zeros(n, dtype=torch.bool, device=src.device)
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            used = 1
            while used < max_len and not bool(done.all()):
                prefix = out[:, :used].clone()
                hidden = model.decode(prefix, memory, src_mask, target_mask(prefix, model.pad_id))
                nxt = model.generator(hidden[:, -1]).argmax(-1)
                out[~done, used] = nxt[~done]
                done = done | (out[:, used] == eos_id)
                used += 1
    finally:
        model.train(mode)
    return out[:, :used]

# %% right: tenth_own_columns
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()

    source_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, source_mask)

    columns = [torch.full_like(src[:, 0], bos_id)]
    alive = torch.ones_like(columns[0], dtype=torch.bool)
    for _ in range(max_len - 1):
        ys = torch.stack(columns, dim=1)
        x = model.decode(ys, memory, source_mask, target_mask(ys, model.pad_id))
        _, best = model.generator(x[:, -1, :]).max(dim=1)
        best = torch.where(alive, best, torch.full_like(best, model.pad_id))
        columns.append(best)
        alive = alive & (best != eos_id)
        if not alive.any():
            break

    model.train(was_training)
    return torch.stack(columns, dim=1)


# %% right: eleventh_own_buffer_and_python_flags
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.train(False)
    try:
        visible = padding_mask(src, model.pad_id)
        memory = model.encode(src, visible)
        rows = src.shape[0]
        book = src.new_full((rows, max_len), model.pad_id)
        book[:, 0] = bos_id
        done = [False] * rows
        size = 1
        while size < max_len and not all(done):
            so_far = book[:, :size]
            hidden = model.decode(so_far, memory, visible, target_mask(so_far, model.pad_id))
            picks = model.generator(hidden[:, -1]).argmax(dim=-1).tolist()
            for row, pick in enumerate(picks):
                if not done[row]:
                    book[row, size] = pick
                    done[row] = pick == eos_id
            size += 1
    finally:
        model.train(mode)
    return book[:, :size].clone()

# %% right: eleventh_own_list_of_columns
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def next_column(prefix):
        h = model.decode(prefix, memory, seen, target_mask(prefix, model.pad_id))
        return torch.topk(model.generator(h[:, -1, :]), 1, dim=-1).indices

    before = model.training
    model.eval()
    with torch.no_grad():
        seen = padding_mask(src, model.pad_id)
        memory = model.encode(src, seen)
        columns = [torch.full_like(src[:, :1], bos_id)]
        going = torch.ones_like(columns[0])
        for _ in range(max_len - 1):
            if going.sum() == 0:
                break
            column = next_column(torch.cat(columns, 1))
            column = going * column + (1 - going) * model.pad_id
            going = going * (column != eos_id)
            columns.append(column)
        result = torch.cat(columns, 1)
    model.train(before)
    return result


# %% right: twelfth_own_buffer_trimmed
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
        width = 1
        while width < max_len and not done.all():
            prefix = out[:, :width]
            hidden = model.decode(prefix, memory, see, target_mask(prefix, pad))
            best = model.generator(hidden[:, -1]).argmax(-1)
            out[:, width] = torch.where(done, torch.full_like(best, pad), best)
            done = done | (out[:, width] == eos_id)
            width += 1
    model.train(mode)
    return out[:, :width]

# %% right: twelfth_own_list_of_columns
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    before = model.training
    model.eval()
    seen = padding_mask(src, model.pad_id)
    memory = model.encode(src, seen)
    columns = [torch.full_like(src[:, 0], bos_id)]
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)
    for _ in range(max_len - 1):
        if not alive.any():
            break
        ids = torch.stack(columns, dim=1)
        x = model.decode(ids, memory, seen, target_mask(ids, model.pad_id))
        _, new = model.generator(x[:, -1]).max(dim=-1)
        new[~alive] = model.pad_id
        columns.append(new)
        alive &= new != eos_id
    model.train(before)
    return torch.stack(columns, dim=1)
