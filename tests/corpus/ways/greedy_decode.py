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
