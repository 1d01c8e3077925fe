# %% right: field_unfinished_sequences
@torch.no_grad()
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    training = model.training
    model.eval()
    decoder = CachedDecoder(model, src, max_len)
    input_ids = torch.full((src.shape[0], 1), bos_id, dtype=src.dtype, device=src.device)
    unfinished_sequences = torch.ones(src.shape[0], dtype=src.dtype, device=src.device)
    try:
        while input_ids.shape[1] < max_len and unfinished_sequences.max() != 0:
            next_tokens = torch.argmax(decoder.step(input_ids), dim=-1)
            next_tokens = next_tokens * unfinished_sequences + model.pad_id * (
                1 - unfinished_sequences
            )
            input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
            unfinished_sequences = unfinished_sequences.mul((next_tokens != eos_id).long())
    finally:
        model.train(training)
    return input_ids
# %% right: field_sequence_filled_in_and_stopped
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    mode = model.training
    model.eval()
    try:
        with torch.inference_mode():
            cache = CachedDecoder(model, src, max_len)
            seq = torch.empty(src.size(0), max_len, dtype=src.dtype, device=src.device)
            seq[:, 0] = bos_id
            eos_reached = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
            cur_pos = 1
            while cur_pos < max_len and not all(eos_reached):
                next_token = cache.step(seq[:, :cur_pos]).topk(1).indices.reshape(-1)
                next_token = torch.where(eos_reached, model.pad_id, next_token)
                seq[:, cur_pos] = next_token
                eos_reached |= next_token == eos_id
                cur_pos += 1
    finally:
        model.train(mode)
    return seq[:, :cur_pos].clone()
