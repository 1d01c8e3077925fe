# %% wrong: one_too_long | TRUE CAUSE: <= where < is meant: <bos> is not counted, and rows become max_len + 1 long
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

        while not ended.all() and ids.size(1) <= max_len:  # blank: going
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: stops_with_the_first | TRUE CAUSE: stops as soon as any row has ended, not when all have, so the longer translations are cut off
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

        while not ended.any() and ids.size(1) < max_len:  # blank: going
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: never_stops_early | TRUE CAUSE: goes on to max_len always, also when every row has ended
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

        while ids.size(1) < max_len:  # blank: going
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: no_padding_after_the_end | TRUE CAUSE: what the model predicts is written after <eos> too, rows that have ended get no padding
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
            token = likeliest  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: eos_again_and_again | TRUE CAUSE: rows that have ended are filled up with eos_id and not with padding
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
            token = likeliest.masked_fill(ended, eos_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: forgets_who_has_ended | TRUE CAUSE: ended holds only the rows whose newest token is <eos>; those that ended before (and got padding) count as going on again
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

# %% wrong: over_the_sentences | TRUE CAUSE: argmax runs over axis 0, the sentences, and gives for each word the row that likes it most, not for each row the likeliest word
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
            likeliest = log_probs.argmax(dim=0)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: return_in_the_loop | TRUE CAUSE: returns from within the loop when all rows have ended, past the line that sets the mode back, so the model stays in eval mode
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        for _ in range(max_len - 1):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.argmax(dim=-1)
            token[ended] = model.pad_id
            ids = torch.cat([ids, token[:, None]], dim=1)
            ended = ended | (token == eos_id)
            if ended.all():
                return ids
    model.train(was_training)
    return ids

# %% wrong: reads_source_each_time_without_masks | TRUE CAUSE: two mistakes: the source is encoded again for each token, and the decoder gets no mask for the source, so padding of the source is attended to
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            memory = model.encode(src, padding_mask(src, model.pad_id))
            decoded = model.decode(ids, memory, None, target_mask(ids, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            token = torch.where(ended, model.pad_id, log_probs.argmax(dim=-1))
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
