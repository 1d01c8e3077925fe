# %% wrong: one_token_too_many | TRUE CAUSE: The loop goes on while the rows are at most max_len long, so the result may be max_len + 1 long.
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

        while ids.size(1) <= max_len and not ended.all():
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.argmax(dim=-1)  # (N,)
            token = likeliest.masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids

# %% wrong: ended_forgotten | TRUE CAUSE: ended is set anew from the newest token only, so a row that has ended counts as going on again as soon as it has got its padding.
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

        while not (ids.shape[1] >= max_len or bool(ended.all())):
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            log_probs = model.generator(decoded[:, -1])  # (N, V)
            likeliest = log_probs.max(dim=1).indices  # (N,)
            token = torch.where(ended, torch.full_like(likeliest, model.pad_id), likeliest)
            ids = torch.hstack((ids, token[:, None]))
            ended = token.eq(eos_id)
    model.train(was_training)
    return ids

# %% wrong: source_read_every_step | TRUE CAUSE: The source is encoded anew at each step of the loop instead of once.
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    ids = src.new_full((src.size(0), 1), bos_id)
    ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    for _ in range(max_len - 1):
        if ended.all():
            break
        memory = model.encode(src, src_mask)
        decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        token = model.generator(decoded[:, -1]).argmax(dim=-1)
        token[ended] = model.pad_id
        ids = torch.cat([ids, token[:, None]], dim=-1)
        ended |= token == eos_id
    model.train(was_training)
    return ids

# %% wrong: train_mode_and_zero_padding | TRUE CAUSE: Two mistakes: at the end the model is always put into train mode; and rows that have ended are filled with 0 instead of with model.pad_id.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Greedy search for a batch."""
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        alive = torch.ones(len(src), dtype=torch.long, device=src.device)
        ids = torch.full((len(src), 1), bos_id, dtype=src.dtype, device=src.device)
        while ids.size(1) < max_len and alive.any():
            decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
            token = model.generator(decoded[:, -1]).topk(1).indices.squeeze(1)
            token = token * alive
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
            alive = alive * (token != eos_id).long()
    model.train()
    return ids
