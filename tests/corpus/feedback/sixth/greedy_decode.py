# %% wrong: stops_with_the_first_row | TRUE CAUSE: the loop stops as soon as any one row has ended, instead of when all have; longer translations of the batch are cut off
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
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: ended_rows_repeat_eos | TRUE CAUSE: a row that has ended is filled up with eos_id instead of with padding
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
            token = torch.where(ended, eos_id, likeliest)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: max_len_new_tokens_and_always_train | TRUE CAUSE: two mistakes: max_len new tokens are written after bos (bos does not count, rows get max_len + 1 long), and the model is always put into train mode at the end instead of into the mode it was in
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        for _ in range(max_len):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.argmax(dim=-1)
            token[ended] = model.pad_id
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
            if ended.all():
                break
    model.train()
    return ids
