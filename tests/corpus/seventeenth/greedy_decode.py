# %% wrong: padding-ends-a-row | A row counts as ended if it holds eos_id or padding, since the student thinks that padding can only stand after the end. But a model may write padding like any other token, "and then continues"; only eos_id ends a row.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            def has_ended(so_far):
                written = so_far[:, 1:]
                return ((written == eos_id) | (written == model.pad_id)).any(dim=1)
            while ids.size(1) < max_len and not has_ended(ids).all():
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                log_probs = model.generator(decoded[:, -1])
                token = log_probs.argmax(dim=-1).masked_fill(has_ended(ids), model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
    finally:
        model.train(was_training)
    return ids

# %% wrong: nanogpt-train-at-the-end | After decoding, the model is always put into train mode, as nanoGPT's estimate_loss does it: the student thinks that one only decodes in the middle of training. A model that was in eval mode before is left in train mode, with dropout on ("at the end it is back in the mode that it was in").
@torch.no_grad()
def greedy_decode(model, src, max_len, bos_id, eos_id):
    model.eval()
    try:
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        idx = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
        for _ in range(max_len - 1):
            if ended.all():
                break
            h = model.decode(idx, memory, src_mask, target_mask(idx, model.pad_id))
            log_probs = model.generator(h[:, -1])
            idx_next = torch.argmax(log_probs, dim=-1).masked_fill(ended, model.pad_id)
            idx = torch.cat((idx, idx_next[:, None]), dim=1)
            ended = ended | (idx_next == eos_id)
    finally:
        model.train()
    return idx

# %% wrong: d2l-newest-token-only | At each step only the newest token is given to the decoder, as in the loop of a recurrent model, where a state carries the past. This decoder has no state: without the earlier tokens it takes each one for the first of a sentence, at position 0 (the blank grown: "consuming the previously generated symbols as additional input").
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            enc_outputs = model.encode(src, src_mask)
            dec_X = torch.full_like(src[:, :1], bos_id)
            output_seq = [dec_X]
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while len(output_seq) < max_len and not ended.all():
                tgt_mask = target_mask(dec_X, model.pad_id)
                Y = model.decode(dec_X, enc_outputs, src_mask, tgt_mask)
                pred = model.generator(Y[:, -1]).argmax(dim=-1)
                pred = pred.masked_fill(ended, model.pad_id)
                dec_X = pred.unsqueeze(1)
                output_seq.append(dec_X)
                ended = ended | (pred == eos_id)
    finally:
        model.train(was_training)
    return torch.cat(output_seq, dim=1)

# %% wrong: max-len-without-bos | max_len is taken for the number of tokens that may be written after bos_id, so a row that does not end is max_len + 1 long. The text says that the loop stops when the rows are max_len long, and that <bos> counts.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            room = src.new_full((src.size(0), max_len + 1), model.pad_id)
            room[:, 0] = bos_id
            going = torch.ones_like(room[:, 0], dtype=torch.bool)
            written = 0
            while written < max_len and going.any():
                ids = room[:, : written + 1]
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                likeliest = model.generator(decoded[:, -1]).argmax(dim=1)
                written += 1
                room[going, written] = likeliest[going]
                going = going & (likeliest != eos_id)
    finally:
        model.train(was_training)
    return room[:, : written + 1]

# %% wrong: two-no-padding-and-no-target-mask | Two mistakes. A row that has ended goes on with its likeliest tokens instead of padding ("after its eos_id it holds padding"). And the decoder gets no mask for the target, since the student thinks that there is no future yet in decoding: with two or more layers, earlier positions now see later ones, which they did not in training, and padding that the model has written is seen.
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while ids.size(1) < max_len and not ended.all():
                decoded = model.decode(ids, memory, src_mask)
                log_probs = model.generator(decoded[:, -1])
                token = log_probs.argmax(dim=1)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    return ids

# %% right: hugging-face-unfinished
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            encoder_outputs = model.encode(src, src_mask)
            input_ids = src.new_full((src.shape[0], 1), bos_id)
            unfinished = src.new_ones(src.shape[0])
            while input_ids.shape[-1] < max_len and unfinished.max() != 0:
                mask = target_mask(input_ids, model.pad_id)
                hidden = model.decode(input_ids, encoder_outputs, src_mask, mask)
                next_tokens = torch.argmax(model.generator(hidden[:, -1]), dim=-1)
                next_tokens = next_tokens * unfinished + model.pad_id * (1 - unfinished)
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished = unfinished * (next_tokens != eos_id).to(unfinished.dtype)
    finally:
        model.train(was_training)
    return input_ids

# %% right: room-made-at-once
def greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            room = src.new_full((src.size(0), max_len), model.pad_id)
            room[:, 0] = bos_id
            going = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
            length = 1
            while length < max_len and going.any():
                ids = room[:, :length]
                decoded = model.decode(ids, memory, src_mask, target_mask(ids, model.pad_id))
                said = model.generator(decoded[:, -1]).topk(1, dim=-1).indices.squeeze(-1)
                room[going, length] = said[going]
                going = going & (said != eos_id)
                length += 1
    finally:
        model.train(mode)
    return room[:, :length].clone()
