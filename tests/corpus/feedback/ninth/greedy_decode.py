# %% wrong: ended_forgets_earlier_rows | TRUE CAUSE: ended is set to token == eos_id alone, without the rows that ended before, so a row that has had its padding once counts as not ended in the following step and goes on writing
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
# %% wrong: going_asks_whether_all_last_tokens_are_eos | TRUE CAUSE: the blank going looks whether the last token of every row is eos_id instead of using ended; rows that ended earlier have padding there, so a batch whose rows end at different times never stops before max_len and gets columns of nothing but padding
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

        while ids.size(1) < max_len and not (ids[:, -1] == eos_id).all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
# %% wrong: own_first_column_of_src_overwritten | TRUE CAUSE: the first column of ids is made as src[:, :1].fill_(bos_id), which is a view of src and filled in place, so the caller's source has bos_id as its first token afterwards
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    pad = model.pad_id
    src_mask = padding_mask(src, pad)
    memory = model.encode(src, src_mask)
    out = src[:, :1].fill_(bos_id)
    done = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    for step in range(max_len - 1):
        if done.all():
            break
        h = model.decode(out, memory, src_mask, target_mask(out, pad))
        nxt = model.generator(h[:, -1]).argmax(-1)
        nxt = torch.where(done, pad, nxt)
        out = torch.cat((out, nxt[:, None]), dim=1)
        done = done | (nxt == eos_id)
    model.train(mode)
    return out
# %% wrong: own_early_return_stays_in_eval | TRUE CAUSE: when all rows have ended the function returns from inside the loop, before model.train(was_training) is reached, so a model that was in training mode is left in eval mode
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    n = src.shape[0]
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        written = src.new_full((n, max_len), model.pad_id)
        written[:, 0] = bos_id
        finished = torch.zeros(n, dtype=torch.bool, device=src.device)
        for t in range(1, max_len):
            so_far = written[:, :t]
            vectors = model.decode(so_far, memory, src_mask, target_mask(so_far, model.pad_id))
            best = model.generator(vectors[:, -1]).max(dim=-1).indices
            written[~finished, t] = best[~finished]
            finished |= best == eos_id
            if finished.all():
                return written[:, : t + 1]
    model.train(was_training)
    return written
