# %% wrong: ended_forgets | TRUE CAUSE: ended holds only the rows that end in this step, those that ended before are forgotten, so they write on after a padding
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

        while ids.size(1) < max_len and not ended.all():  # blank: going
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = token == eos_id
    model.train(was_training)
    return ids


# %% wrong: stops_at_first_end | TRUE CAUSE: the loop stops as soon as any row has ended, instead of when all have, so longer translations are cut off
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

        while ids.size(1) < max_len and not ended.any():  # blank: going
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = torch.where(ended, model.pad_id, likeliest)  # blank: padded
            ids = torch.cat((ids, token[:, None]), dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: eos_for_padding_one_too_long | TRUE CAUSE: two mistakes: rows that have ended are filled up with eos_id instead of padding, and max_len tokens are written after bos_id, which should count, so rows can be one too long
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        for _ in range(max_len):
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.argmax(dim=-1)
            token = token.masked_fill(ended, eos_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
            if ended.all():
                break
    model.train(was_training)
    return ids
