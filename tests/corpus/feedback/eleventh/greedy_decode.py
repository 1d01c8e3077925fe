# %% wrong: ended_before_padding | TRUE CAUSE: `ended` is updated from `likeliest` before `token` is padded with it, so at the very step in which a row predicts eos_id it already counts as ended and its eos_id is overwritten by pad_id; no row ever contains eos_id
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

        while not ended.all() and ids.size(1) < max_len:
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            ended = ended | (likeliest == eos_id)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    model.train(was_training)
    return ids

# %% wrong: grown_by_likeliest | TRUE CAUSE: ids is grown by `likeliest` instead of the padded `token`, so rows that have ended go on writing whatever the model predicts after eos_id, where padding belongs
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

        while ids.size(1) < max_len and not torch.all(ended):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.max(dim=-1).indices  # (N,)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat((ids, likeliest[:, None]), dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: own_buffer_not_trimmed | TRUE CAUSE: the result is written into a buffer of max_len columns that is returned whole, so when all rows end earlier the result is still max_len wide, with columns of nothing but padding, rather than stopping where the last row ended
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    n = src.shape[0]
    with torch.no_grad():
        visible = padding_mask(src, model.pad_id)
        memory = model.encode(src, visible)
        out = src.new_full((n, max_len), model.pad_id)
        out[:, 0] = bos_id
        running = torch.ones(n, dtype=torch.bool, device=src.device)
        for t in range(1, max_len):
            prefix = out[:, :t]
            h = model.decode(prefix, memory, visible, target_mask(prefix, model.pad_id))
            best = model.generator(h[:, t - 1]).argmax(-1)
            out[running, t] = best[running]
            running &= best != eos_id
            if not running.any():
                break
    model.train(mode)
    return out

# %% wrong: own_decodes_newest_token_only | TRUE CAUSE: only the newest token, not the whole prefix, is given to model.decode (and to target_mask), so the decoder sees every token as if it stood alone at position 0 and knows nothing of what was written before
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()

    @torch.no_grad()
    def write():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        newest = torch.full_like(src[:, :1], bos_id)
        written = [newest]
        ended = torch.zeros_like(newest, dtype=torch.bool)
        while len(written) < max_len and not ended.all():
            decoded = model.decode(newest, memory, src_mask, target_mask(newest, model.pad_id))
            newest = model.generator(decoded).argmax(dim=-1)
            newest = newest.masked_fill(ended, model.pad_id)
            written.append(newest)
            ended = ended | (newest == eos_id)
        return torch.cat(written, dim=1)

    ids = write()
    model.train(was_training)
    return ids
