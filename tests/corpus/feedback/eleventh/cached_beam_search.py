# %% wrong: ended_parents_live_again | TRUE CAUSE: goes_on looks at the token only (token != eos_id) and not at whether the parent was alive, so prefixes that have ended come alive again with their padding and take a wrong row of the caches
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.flatten().cumsum(0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = token != eos_id
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: rows_without_parent | TRUE CAUSE: the rows that continue are row[alive], the numbers at the new places themselves and not at their parents', so prefixes continue with keys and values of another prefix
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A prefix that has ended is left out, even where others of its beam continue.
    """
    batch, minus_inf = src.size(0), float("-inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    alive = total == 0

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            # Only the best few continuations of a prefix can be among the best of all.
            width = min(beam_size, log_probs.size(1))

            # What has ended can continue in one way only, with padding, at no cost.
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), minus_inf)
            added[:, :, 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)

            totals = added + total.unsqueeze(2)  # (N, B, width)
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)

            # The caches hold a row for each that was alive; each row follows its parent's.
            count = alive.flatten().cumsum(0)  # (N*B,), from 1
            row = count.view_as(alive) - 1  # (N, B)
            alive = alive.gather(1, parent) & (token != eos_id)
            decoder.keep(row[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids

# %% wrong: own_alive_of_the_old_place | TRUE CAUSE: the new alive combines the old place's own alive with the new token, without going to the parent's place, so a prefix that ended may go on and one that is alive may be stopped
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    N, B, dev = src.size(0), beam_size, src.device
    ids = src.new_full((N * B, 1), bos_id)
    score = torch.full((N, B), -math.inf, device=dev)
    score[:, 0] = 0.0
    size = src.new_zeros(N, B)
    alive = torch.zeros(N, B, dtype=torch.bool, device=dev)
    alive[:, 0] = True
    first = torch.arange(N, device=dev).unsqueeze(1) * B

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            places = alive.flatten().nonzero().squeeze(1)
            lp = decoder.step(ids[places])
            k = min(B, lp.size(1))
            add = lp.new_full((N * B, k), -math.inf)
            tok = ids.new_full((N * B, k), model.pad_id)
            add[:, 0] = 0.0
            add[places], tok[places] = lp.topk(k)

            sums = (score.view(N * B, 1) + add).view(N, B * k)
            size = size + alive.long()
            norm = ((5 + size) / 6).pow(length_penalty).repeat_interleave(k, dim=1)
            best = (sums / norm).topk(B, dim=1).indices
            from_ = (best // k + first).flatten()
            token = tok.view(N, B * k).gather(1, best)
            score = sums.gather(1, best)
            ids = torch.cat([ids[from_], token.view(N * B, 1)], dim=1)
            size = size.flatten()[from_].view(N, B)

            row_of = src.new_full((N * B,), -1)
            row_of[places] = torch.arange(len(places), device=dev)
            alive = alive & (token != eos_id)
            decoder.keep(row_of[from_][alive.flatten()], alive)
    end = int(size[:, 0].max()) + 1
    return ids.view(N, B, -1)[:, 0, :end]

# %% wrong: own_count_per_sentence | TRUE CAUSE: the count of rows is set back to 0 for each sentence, so from the second sentence on the rows' numbers are those of the first sentences' rows
def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    batch, inf = src.size(0), float("inf")
    ids = src.new_full((batch, beam_size, 1), bos_id)
    total = torch.full((batch, beam_size), -inf, device=src.device)
    total[:, 0] = 0
    length = src.new_zeros(batch, beam_size)
    alive = total > -inf

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        for _ in range(max_len - 1):
            if not alive.any():
                break
            log_probs = decoder.step(ids[alive])
            width = min(beam_size, log_probs.size(1))
            tokens = ids.new_full((batch, beam_size, width), model.pad_id)
            added = log_probs.new_full((batch, beam_size, width), -inf)
            added[..., 0] = 0.0
            added[alive], tokens[alive] = log_probs.topk(width)
            totals = total[:, :, None] + added
            length = length + alive
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink[:, :, None]).flatten(1).topk(beam_size).indices
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            sentence = torch.arange(batch, device=src.device)[:, None]
            ids = torch.cat([ids[sentence, parent], token[:, :, None]], dim=2)
            length = length[sentence, parent]

            before, rows = alive.tolist(), []
            number, row = {}, 0
            for n in range(batch):
                row = 0
                for b in range(beam_size):
                    if before[n][b]:
                        number[n, b] = row
                        row += 1
            alive = alive[sentence, parent] & (token != eos_id)
            for n, b in alive.nonzero().tolist():
                rows.append(number[n, parent[n, b].item()])
            decoder.keep(torch.tensor(rows, dtype=torch.long, device=src.device), alive)
    return ids[:, 0, : length[:, 0].max() + 1]
