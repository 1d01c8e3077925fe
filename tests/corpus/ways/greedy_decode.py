# %% right: fourteenth_own_helpers_and_finally
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def next_tokens(ids, memory, src_mask):
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        return model.generator(decoded[:, -1]).argmax(-1, keepdim=True).to(src.dtype)
    def write(src_mask, memory):
        ids = src.new_full((src.size(0), 1), bos_id)
        going = torch.ones_like(ids, dtype=torch.bool)  # (N, 1)
        while going.any() and ids.size(1) < max_len:
            token = next_tokens(ids, memory, src_mask)
            token[~going] = model.pad_id
            going = going & token.ne(eos_id)
            ids = torch.hstack([ids, token])
        return ids
    mode = model.training
    model.train(False)
    try:
        with torch.no_grad():
            hidden = padding_mask(src, model.pad_id)
            return write(hidden, model.encode(src, hidden))
    finally:
        model.train(mode)
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
# %% right: field_annotated_with_ends
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = (src != model.pad_id).unsqueeze(-2).unsqueeze(1)
        memory = model.encode(src, src_mask)
        ys = torch.full((src.size(0), 1), bos_id, dtype=torch.long, device=src.device)
        done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
        for i in range(max_len - 1):
            if done.all():
                break
            out = model.decode(ys, memory, src_mask, target_mask(ys, model.pad_id))
            prob = model.generator(out[:, -1])
            _, next_word = torch.max(prob, dim=1)
            next_word = next_word.masked_fill(done, model.pad_id)
            ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
            done = done | (next_word == eos_id)
    model.train(was_training)
    return ys
# %% right: field_preds_all_and_any_active
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    device = src.device
    training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    ys = torch.ones(src.shape[0], 1, device=device).fill_(bos_id).type_as(src)
    finished = torch.zeros(src.shape[0], 1, dtype=torch.bool, device=device)
    while ys.size(1) < max_len:
        if bool(finished.all()):
            break
        tgt_mask = target_mask(ys, model.pad_id)
        out = model.decode(ys, memory, src_mask, tgt_mask)
        prob = model.generator(out[:, -1])
        next_word = prob.argmax(1).unsqueeze(1)
        next_word[finished] = model.pad_id
        ys = torch.cat([ys, next_word], dim=1)
        finished |= next_word == eos_id
    model.train(training)
    return ys
