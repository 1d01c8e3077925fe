# %% wrong: eos_itself_becomes_padding | TRUE CAUSE: a row's end token is itself replaced by padding (padding after eos misread as from eos on), so it is never written, and no row ever counts as ended
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
            token = likeliest.masked_fill(ended | (likeliest == eos_id), model.pad_id)  # blank: padded
            ids = torch.cat([ids, token.unsqueeze(1)], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: eos_again_instead_of_padding | TRUE CAUSE: rows that have ended are filled with more end tokens instead of padding
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
            token = torch.where(ended, eos_id, likeliest)  # blank: padded
            ids = torch.cat([ids, token[:, None]], dim=1)  # blank: grown
            ended = ended | (token == eos_id)
    model.train(was_training)
    return ids


# %% wrong: decoder_reads_the_newest_token_only | TRUE CAUSE: the decoder is given only the last token at each step, as if it remembered the earlier ones from the calls before, instead of everything written so far
def greedy_decode(model, src, max_len, bos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        token = torch.full_like(src[:, 0], bos_id)
        ended = torch.zeros_like(token, dtype=torch.bool)
        written = [token]
        while len(written) < max_len and not ended.all():
            newest = token.unsqueeze(1)  # (N, 1)
            decoded = model.decode(newest, memory, src_mask, target_mask(newest, model.pad_id))
            log_probs = model.generator(decoded[:, -1])
            token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
            written.append(token)
            ended = ended | (token == eos_id)
    model.train(was_training)
    return torch.stack(written, dim=1)


# %% wrong: leaves_the_loop_by_return_and_drops_bos | TRUE CAUSE: two mistakes: when all rows have ended it returns from inside the loop, before the model is set back to its mode, and the start token is cut off the result
def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len."""
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ids = torch.full_like(src[:, :1], bos_id)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)

        while ids.size(1) < max_len:
            if ended.all():
                return ids[:, 1:]
            tgt_mask = target_mask(ids, model.pad_id)
            decoded = model.decode(ids, memory, src_mask, tgt_mask)
            token = model.generator(decoded[:, -1]).argmax(dim=-1)
            token[ended] = model.pad_id
            ids = torch.cat((ids, token.unsqueeze(-1)), dim=-1)
            ended |= token == eos_id
    model.train(was_training)
    return ids[:, 1:]
