# %% wrong: row-zero-for-all | Adapted from the one-sentence loop of The Annotated Transformer: it takes only the token of row 0 (next_word[0]) and appends it to every row, so all rows of a batch get the translation of the first sentence, and the loop stops when that one has ended.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ys = torch.full((src.size(0), 1), bos_id, dtype=src.dtype, device=src.device)
            for i in range(max_len - 1):
                out = model.decode(ys, memory, src_mask, target_mask(ys, model.pad_id))
                prob = model.generator(out[:, -1])
                _, next_word = torch.max(prob, dim=1)
                next_word = next_word[0]
                column = torch.full_like(ys[:, :1], next_word.item())
                ys = torch.cat([ys, column], dim=1)
                if next_word.item() == eos_id:
                    break
    finally:
        model.train(was_training)
    return ys

# %% wrong: always-max-len | The loop always makes max_len - 1 steps: it never looks whether all rows have ended, so the decoder is called too often and the result is padded to max_len columns instead of ending with the longest row.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len - 1):
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                token = model.generator(decoded[:, -1]).argmax(dim=-1)
                token = torch.where(ended, torch.full_like(token, model.pad_id), token)
                ids = torch.cat([ids, token[:, None]], dim=1)
                ended = torch.logical_or(ended, token == eos_id)
    finally:
        model.train(was_training)
    return ids

# %% wrong: stays-in-eval | model.eval() is called and the old mode is never restored: a model that was in training comes back in eval mode, so training goes on without dropout.
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    src_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, src_mask)
    batch = src.size(0)
    out = src.new_full((batch, 1), bos_id)
    done = torch.zeros(batch, dtype=torch.bool, device=src.device)
    while out.size(1) < max_len and not bool(done.all()):
        h = model.decode(out, memory, src_mask, target_mask(out, model.pad_id))
        scores = model.generator(h[:, -1, :])
        nxt = scores.max(dim=-1).indices
        nxt[done] = model.pad_id
        out = torch.cat((out, nxt.unsqueeze(-1)), dim=-1)
        done = done | nxt.eq(eos_id)
    return out

# %% wrong: padding-ends-a-row | Which rows have ended is read off the last token: eos or padding. So a row in which the model itself writes padding counts as ended and is never continued, although only eos_id ends a row.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            def finished(ids):
                last = ids[:, -1]
                return (last == eos_id) | (last == model.pad_id)
            while ids.size(1) < max_len and not finished(ids).all():
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                likeliest = model.generator(decoded[:, -1]).argmax(dim=-1)
                token = likeliest.masked_fill(finished(ids), model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
    finally:
        model.train(was_training)
    return ids

# %% wrong: new-tensors-on-cpu | ids and the flags of ended rows are made by torch.full and torch.zeros without a device, so they lie on the CPU: with src and the model on a GPU the call fails.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            batch_size = src.shape[0]
            ids = torch.full((batch_size, 1), bos_id, dtype=torch.long)
            ended = torch.zeros(batch_size, dtype=torch.bool)
            while not ended.all() and ids.shape[1] < max_len:
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                token = log_probs.argmax(-1)
                token = token.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.view(-1, 1)], dim=1)
                ended |= token == eos_id
    finally:
        model.train(was_training)
    return ids

# %% wrong: forgets-who-has-ended | ended is overwritten by token == eos_id at each step instead of being joined with what it was: one step after its eos a row counts as not ended again and goes on writing after a single padding.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not ended.all() and ids.size(1) < max_len:
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])
                likeliest = log_probs.argmax(dim=-1)
                token = likeliest.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = token == eos_id
    finally:
        model.train(was_training)
    return ids

# %% right: unfinished-sequences
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            input_ids = src.new_full((src.shape[0], 1), bos_id)
            unfinished_sequences = src.new_ones(src.shape[0])
            while input_ids.shape[-1] < max_len and unfinished_sequences.max() != 0:
                hidden = model.decode(
                    input_ids, memory, src_mask, target_mask(input_ids, model.pad_id)
                )
                next_token_scores = model.generator(hidden[:, -1, :])
                next_tokens = torch.argmax(next_token_scores, dim=-1)
                next_tokens = next_tokens * unfinished_sequences + model.pad_id * (
                    1 - unfinished_sequences
                )
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished_sequences = unfinished_sequences * (next_tokens != eos_id).long()
    finally:
        model.train(mode)
    return input_ids

# %% right: room-made-beforehand
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    try:
        model.eval()
        with torch.no_grad():
            source_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, source_mask)
            written = torch.full(
                (len(src), max_len), model.pad_id, dtype=src.dtype, device=src.device
            )
            written[:, 0] = bos_id
            active = torch.ones(len(src), dtype=torch.bool, device=src.device)
            end = 1
            while end < max_len and active.any():
                so_far = written[:, :end]
                vectors = model.decode(
                    so_far, memory, source_mask, target_mask(so_far, model.pad_id)
                )
                best = model.generator(vectors[:, -1]).argmax(dim=1)
                written[active, end] = best[active]
                active = active & (written[:, end] != eos_id)
                end += 1
            return written[:, :end].clone()
    finally:
        model.train(was_training)
