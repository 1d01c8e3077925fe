# %% wrong: one_too_long | TRUE CAUSE: off by one: the loop goes on while the rows are at most max_len long, so they become max_len + 1 long (bos not counted)
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


# %% wrong: stops_with_the_first | TRUE CAUSE: stops as soon as one row has ended instead of all
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


# %% wrong: ended_rows_write_on | TRUE CAUSE: rows that have ended go on writing what the model predicts instead of padding
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


# %% wrong: forgets_who_ended | TRUE CAUSE: ended is only what ends at this step: a row that ended earlier is taken as going on again after one padding
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


# %% wrong: padding_the_wrong_way | TRUE CAUSE: torch.where the wrong way round: rows that have not ended get padding, those that have ended the likeliest token
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
            token = torch.where(ended, likeliest, model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: eos_overwritten | TRUE CAUSE: ended is brought up to date before the token is padded, so the eos itself is replaced by padding and never stands in the result
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while not ended.all() and ids.size(1) < max_len:
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            likeliest = model.generator(decoded[:, -1]).argmax(dim=-1)
            ended = ended | (likeliest == eos_id)
            token = torch.where(ended, model.pad_id, likeliest)
            ids = torch.cat([ids, token[:, None]], dim=1)
    model.train(was_training)
    return ids


# %% wrong: reads_only_the_last | TRUE CAUSE: the decoder is given only the newest token instead of everything written so far
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        token = torch.full_like(src[:, :1], bos_id)
        written = [token]
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while len(written) < max_len and not ended.all():
            decoded = model.decode(token, memory, src_mask, target_mask(token, model.pad_id))
            likeliest = model.generator(decoded[:, -1]).argmax(dim=-1)
            likeliest = likeliest.masked_fill(ended, model.pad_id)
            ended = ended | (likeliest == eos_id)
            token = likeliest.unsqueeze(1)
            written.append(token)
    model.train(was_training)
    return torch.cat(written, dim=1)


# %% wrong: encodes_every_step | TRUE CAUSE: the source is encoded again at every step instead of once
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)
        for _ in range(max_len - 1):
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            token[ended] = model.pad_id
            ids = torch.cat((ids, token.unsqueeze(1)), dim=1)
            ended |= token == eos_id
            if ended.all():
                break
    model.train(was_training)
    return ids


# %% wrong: eos_pads_and_train_mode | TRUE CAUSE: two mistakes: rows that have ended are filled up with eos instead of padding, and the model is left in training mode whatever it was in before
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len."""
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.max(dim=-1).indices
            token[ended] = eos_id
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train()
    return ids


# %% wrong: no_early_stop | TRUE CAUSE: the loop always runs until the rows are max_len long, also when all have ended, so the result has columns of padding alone at its end
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        for _ in range(1, max_len):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(-1)], -1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids
