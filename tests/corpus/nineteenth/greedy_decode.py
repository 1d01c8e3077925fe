# %% wrong: ended-forgotten-again | `ended` is made anew at each step from the newest token alone (token == eos_id) and not added to what had ended before: after its first padding a row counts as running again and writes on.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ids.size(1) == max_len):
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

# %% wrong: padding-ends-a-row | A padding token that the model writes itself counts as an end, like eos_id. Only eos_id ends a row; a model may write padding and then continues.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = src.new_full((src.size(0), 1), bos_id)
            stop_ids = src.new_tensor([eos_id, model.pad_id])
            ended = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
            while ids.size(1) < max_len and not ended.all():
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                best = model.generator(decoded[:, -1]).topk(1, dim=-1).indices
                best = best.masked_fill(ended[:, None], model.pad_id)
                ids = torch.hstack([ids, best])
                ended = ended | torch.isin(best.squeeze(1), stop_ids)
    finally:
        model.train(was_training)
    return ids

# %% wrong: filled-up-with-eos | A row that has ended is filled up with eos_id, as a generation without a padding token of its own would do; after its eos_id a row has to hold padding.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            attention_mask = padding_mask(src, model.pad_id)
            encoder_outputs = model.encode(src, attention_mask)
            input_ids = src.new_full((src.shape[0], 1), bos_id)
            unfinished_sequences = src.new_ones(src.shape[0])
            pad_token_id = eos_id
            while input_ids.shape[-1] < max_len:
                causal = target_mask(input_ids, model.pad_id)
                outputs = model.decode(input_ids, encoder_outputs, attention_mask, causal)
                next_token_scores = model.generator(outputs[:, -1])
                next_tokens = torch.argmax(next_token_scores, dim=-1)
                next_tokens = next_tokens * unfinished_sequences + pad_token_id * (
                    1 - unfinished_sequences
                )
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished_sequences = unfinished_sequences.mul((next_tokens != eos_id).long())
                if unfinished_sequences.max() == 0:
                    break
    finally:
        model.train(was_training)
    return input_ids

# %% wrong: always-to-max_len | The loop always runs to max_len: rows that have ended are padded, but nothing stops when all have ended, so the model is asked for nothing and the result is filled with padding up to max_len. The loop has to stop as soon as all rows have ended.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ys = torch.zeros_like(src[:, :1]).fill_(bos_id)
            done = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len - 1):
                out = model.decode(ys, memory, src_mask, target_mask(ys, model.pad_id))
                prob = model.generator(out[:, -1])
                _, next_word = torch.max(prob, dim=1)
                next_word = next_word.masked_fill(done, model.pad_id)
                ys = torch.cat([ys, next_word.unsqueeze(1)], dim=1)
                done = done | (next_word == eos_id)
    finally:
        model.train(was_training)
    return ys

# %% wrong: last-place-of-the-room | Room for max_len tokens is made at once, filled with padding, and all of it is given to the decoder, but the prediction is read at the last place of the room ([:, -1]), which stands behind padding, and not at the place of the newest token.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            room = src.new_full((src.size(0), max_len), model.pad_id)
            room[:, 0] = bos_id
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and not ended.all():
                tgt_mask = target_mask(room, model.pad_id)
                decoded = model.decode(room, memory, src_mask, tgt_mask)
                token = model.generator(decoded[:, -1]).argmax(-1)
                room[:, length] = token.masked_fill(ended, model.pad_id)
                ended = ended | (room[:, length] == eos_id)
                length += 1
    finally:
        model.train(was_training)
    return room[:, :length]

# %% wrong: no-mask-for-the-future | The decoder is given a mask for padding only, in the belief that there is no future to hide while writing. But all positions are read again at each step, and in layers above the first the newest one reads what the earlier ones have become; without the causal mask these have looked ahead, unlike in training.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ids.size(1) == max_len):
                tgt_mask = padding_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                likeliest = model.generator(decoded[:, -1]).argmax(dim=-1)
                token = torch.where(ended, model.pad_id, likeliest)
                ids = torch.cat([ids, token[:, None]], dim=1)
                ended = ended.logical_or(token == eos_id)
    finally:
        model.train(was_training)
    return ids

# %% wrong: stops-before-the-last-eos | The loop asks whether all have ended before it puts the new token behind the others, so the eos_id of the row that ends last is never written.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            columns = [torch.full_like(src[:, 0], bos_id)]
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while len(columns) < max_len:
                ids = torch.stack(columns, dim=1)
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                token = model.generator(decoded[:, -1]).argmax(-1).masked_fill(ended, model.pad_id)
                ended = ended | (token == eos_id)
                if ended.all():
                    break
                columns.append(token)
    finally:
        model.train(was_training)
    return torch.stack(columns, dim=1)

# %% wrong: left-in-train-mode-and-one-too-long | Two mistakes. At the end the model is put into train mode whatever mode it was in. And the loop allows max_len tokens after bos_id, although bos_id counts, so rows may be max_len + 1 long.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            for _ in range(max_len):
                if ended.all():
                    break
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                token = model.generator(decoded[:, -1]).argmax(1)
                token = token.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = ended | (token == eos_id)
    finally:
        model.train()
    return ids

# %% right: room-and-length
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            room = src.new_full((src.size(0), max_len), model.pad_id)
            room[:, 0] = bos_id
            going = torch.ones_like(src[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and going.any():
                read = room[:, :length].clone()
                decoded = model.decode(read, memory, src_mask, target_mask(read, model.pad_id))
                token = model.generator(decoded[:, length - 1]).max(dim=-1).indices
                room[:, length] = torch.where(going, token, room[:, length])
                going = going & (token != eos_id)
                length += 1
    finally:
        model.train(mode)
    return room[:, :length]

# %% right: unfinished-sequences
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    def next_tokens(ids):
        hidden = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
        return model.generator(hidden[:, -1]).argmax(dim=-1)
    was_training = model.training
    try:
        model.eval()
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        input_ids = src.new_full((src.size(0), 1), bos_id)
        unfinished = src.new_ones(src.size(0))
        for _ in range(1, max_len):
            tokens = next_tokens(input_ids)
            tokens = tokens * unfinished + model.pad_id * (1 - unfinished)
            input_ids = torch.cat([input_ids, tokens[:, None]], dim=-1)
            unfinished = unfinished * (tokens != eos_id).long()
            if not unfinished.any():
                break
    finally:
        model.train(was_training)
    return input_ids
