"""From a trained model to a translation: greedy decoding and beam search, section 6.1."""

import torch
from torch.nn import functional as F

from transformer.masks import padding_mask, target_mask


def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Write, token by token, the likeliest next one: ids (N, length), length at most max_len.

    Each row begins with bos_id; after its eos_id it holds padding. All stop when the last row
    has ended. The source is read once. The model decodes in eval mode, without gradients, and
    is left in the mode that it was in.
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)  # once: the source does not change
            ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)

            while ids.size(1) < max_len and not ended.all():
                tgt_mask = target_mask(ids, model.pad_id)
                decoded = model.decode(ids, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])  # (N, V)
                likeliest = log_probs.argmax(dim=-1)  # (N,)
                token = likeliest.masked_fill(ended, model.pad_id)
                ids = torch.cat([ids, token.unsqueeze(1)], dim=1)
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    return ids


def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """Keep the beam_size best prefixes of each translation and return the best in the end.

    Same form as greedy_decode, and the model's mode is taken care of as there. A prefix
    scores its log-probability divided by ((5 + length) / 6) ** length_penalty, so that longer
    ones are not shunned (Wu et al. 2016).
    """
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            src_mask = padding_mask(src, model.pad_id)
            memory = model.encode(src, src_mask)
            memory = memory.repeat_interleave(beam_size, dim=0)  # (N*B, S, D)
            src_mask = src_mask.repeat_interleave(beam_size, dim=0)  # (N*B, 1, 1, S)

            # All begin alike, so only the first of each beam may grow at first.
            ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
            total = torch.zeros(batch, beam_size, device=src.device)  # log-probability of each
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)  # without bos_id, with eos_id
            ended = total == minus_inf  # the dead count as ended: only padding follows them

            for _ in range(1, max_len):
                if ended.all():
                    break
                rows = ids.flatten(0, 1)  # (N*B, length)
                tgt_mask = target_mask(rows, model.pad_id)
                decoded = model.decode(rows, memory, src_mask, tgt_mask)
                log_probs = model.generator(decoded[:, -1])  # (N*B, V)
                log_probs = log_probs.unflatten(0, (batch, beam_size))  # (N, B, V)

                # What has ended can continue in one way only, with padding, at no cost.
                log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
                log_probs[:, :, model.pad_id].masked_fill_(ended, 0.0)

                totals = total.unsqueeze(2) + log_probs  # (N, B, V)
                length = length + ~ended
                penalty = ((5 + length) / 6) ** length_penalty  # (N, B)
                scores = totals / penalty.unsqueeze(2)

                # The best continuations of a beam: whose they are, which token they add.
                best = scores.flatten(1).topk(beam_size).indices  # (N, B)
                total = totals.flatten(1).gather(1, best)
                parent = best // scores.size(2)
                token = best % scores.size(2)
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = F.pad(grown, (0, 1))  # one place longer
                ids[:, :, -1] = token
                length = length.gather(1, parent)
                ended = ended.gather(1, parent)
                ended[token == eos_id] = True
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
