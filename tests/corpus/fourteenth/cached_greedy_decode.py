# %% wrong: numbers_of_sentences_as_rows | keep gets the numbers of the sentences that continue, 0 to N - 1. It wants the numbers of the rows that were just computed, of which there are only R: once a sentence has ended, they are not the same.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going.nonzero().squeeze(1), going.unsqueeze(1))
            alive = going
    return ids
# %% wrong: padding_ends_too | A row goes on only if its token is neither eos_id nor model.pad_id. A model may also write padding, and then continues: only eos_id ends a translation.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id) & (token != model.pad_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids
# %% wrong: own_one_token_too_many | The loop runs max_len times, each time adding a token to bos_id, so the result can have max_len + 1 columns. bos_id counts: the length is at most max_len.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    batch = src.size(0)
    columns = [src.new_full((batch,), bos_id)]
    alive = torch.ones(batch, dtype=torch.bool, device=src.device)
    with torch.no_grad():
        with CachedDecoder(model, src) as decoder:
            for _ in range(max_len):
                if not alive.any():
                    break
                so_far = torch.stack(columns, dim=1)
                said = decoder.step(so_far[alive]).max(dim=-1).indices  # (R,)
                column = src.new_full((batch,), model.pad_id)
                column[alive] = said
                columns.append(column)
                goes_on = said != eos_id  # (R,)
                alive = alive.clone()
                alive[alive.clone()] = goes_on
                decoder.keep(goes_on, alive[:, None])
    return torch.stack(columns, dim=1)
# %% wrong: own_end_again_and_again | The new column is filled with eos_id, so a row that has ended goes on with eos_id at every place. After its eos_id a row holds padding, as in greedy_decode.
def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    batch = src.size(0)
    columns = [src.new_full((batch,), bos_id)]
    alive = torch.ones(batch, dtype=torch.bool, device=src.device)
    with torch.no_grad():
        with CachedDecoder(model, src) as decoder:
            for _ in range(max_len - 1):
                if not alive.any():
                    break
                so_far = torch.stack(columns, dim=1)
                said = decoder.step(so_far[alive]).max(dim=-1).indices  # (R,)
                column = src.new_full((batch,), eos_id)
                column[alive] = said
                columns.append(column)
                goes_on = said != eos_id  # (R,)
                alive = alive.clone()
                alive[alive.clone()] = goes_on
                decoder.keep(goes_on, alive[:, None])
    return torch.stack(columns, dim=1)
