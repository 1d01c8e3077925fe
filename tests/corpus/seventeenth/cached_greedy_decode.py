# %% wrong: source-read-in-train-mode | The CachedDecoder is made before model.eval(), and its __init__ reads the source: with a model in train mode the encoder drops, and the memory is noisy. CachedDecoder expects a model that is in eval mode already ("The model is in eval mode already, and stays as it is").
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    with torch.no_grad():
        decoder = CachedDecoder(model, src, max_len)
        rows = [torch.full_like(src[:, 0], bos_id)]
        ended = torch.zeros_like(rows[0], dtype=torch.bool)
        model.eval()
        try:
            while len(rows) < max_len and not ended.all():
                log_probs = decoder.step(torch.stack(rows, dim=1))
                token = torch.where(ended, model.pad_id, log_probs.argmax(dim=-1))
                rows.append(token)
                ended = ended | (token == eos_id)
        finally:
            model.train(was_training)
    return torch.stack(rows, dim=1)

# %% wrong: max-len-new-tokens | max_len is taken for the number of new tokens, as generate's max_new_tokens, so a row that does not end is max_len + 1 long, one longer than greedy_decode's (there <bos> counts).
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            room = src.new_full((src.size(0), 1 + max_len), model.pad_id)
            room[:, 0] = bos_id
            going = torch.ones_like(room[:, 0], dtype=torch.bool)
            length = 1
            for place in range(1, max_len + 1):
                if not going.any():
                    break
                said = decoder.step(room[:, :place]).argmax(dim=-1)
                room[going, place] = said[going]
                going = going & (said != eos_id)
                length = place + 1
    finally:
        model.train(was_training)
    return room[:, :length]

# %% wrong: ended-from-the-newest-alone | Whether a row has ended is read off its newest token alone: one step after eos_id the newest is padding, and the row counts as going again and writes on. Once ended, a row has to stay ended, whatever follows.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = src.new_full((src.size(0), 1), bos_id)
            def just_ended():
                return ids[:, -1] == eos_id
            while ids.size(1) < max_len and not just_ended().all():
                token = decoder.step(ids).argmax(dim=-1)
                token = torch.where(just_ended(), model.pad_id, token)
                ids = torch.hstack([ids, token.unsqueeze(1)])
    finally:
        model.train(was_training)
    return ids

# %% wrong: padding-ends-a-row | A row also counts as ended when the model writes padding: the student thinks that padding can only follow the end. Only eos_id ends a row, and greedy_decode goes on after padding that the model has written.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)
            while not (ended.all() or ids.size(1) == max_len):
                log_probs = decoder.step(ids)
                token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id) | (token == model.pad_id)
    finally:
        model.train(was_training)
    return ids

# %% wrong: two-no-early-stop-and-eos-repeated | Two mistakes. The loop always runs to max_len and does not stop when all rows have ended, so the result is as long as max_len allows. And rows that have ended are filled up with eos_id instead of padding, as generation code does whose pad token is set to the end token.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            input_ids = torch.full_like(src[:, :1], bos_id)
            unfinished = torch.ones_like(src[:, 0])
            for _ in range(max_len - 1):
                next_tokens = decoder.step(input_ids).argmax(dim=-1)
                next_tokens = next_tokens * unfinished + eos_id * (1 - unfinished)
                input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
                unfinished = unfinished * (next_tokens != eos_id).long()
    finally:
        model.train(was_training)
    return input_ids

# %% right: room-made-at-once
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            room = src.new_full((src.size(0), max_len), model.pad_id)
            room[:, 0] = bos_id
            going = torch.ones_like(room[:, 0], dtype=torch.bool)
            length = 1
            while length < max_len and going.any():
                said = decoder.step(room[:, :length]).max(dim=-1).indices
                room[going, length] = said[going]
                going &= said != eos_id
                length += 1
    finally:
        model.train(was_training)
    return room[:, :length]

# %% right: hugging-face-unfinished
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    try:
        model.eval()
        decoder = CachedDecoder(model, src, max_len)
        input_ids = src.new_full((src.shape[0], 1), bos_id)
        unfinished = src.new_ones(src.shape[0])
        for _ in range(max_len - 1):
            if unfinished.max() == 0:
                break
            next_tokens = decoder.step(input_ids).topk(1, dim=-1).indices[:, 0]
            next_tokens = next_tokens * unfinished + model.pad_id * (1 - unfinished)
            input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
            unfinished = unfinished.mul((next_tokens != eos_id).long())
    finally:
        model.train(was_training)
    return input_ids
