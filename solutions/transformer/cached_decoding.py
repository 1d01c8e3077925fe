"""Decoding that remembers: keys and values of what is written are computed once, not again."""

import torch

from transformer.cached_attention import CachedMultiHeadAttention
from transformer.masks import padding_mask


class CachedDecoder:
    """A model's decoder, one position at a time.

    Within the block the model is in eval mode, with caches for attentions; afterwards, even if
    the block raises an error, it has its own attentions and mode again.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, alive)  # the rows that continue, and where they are, (N, B)
    """

    def __init__(self, model, src):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        self.was_training = model.training
        model.eval()
        self.memory = model.encode(src, self.src_mask)
        self.places = [
            (part, name, child)
            for part in model.decoder.modules()
            for name, child in part.named_children()
            if hasattr(child, "w_q")
        ]
        self.caches = [CachedMultiHeadAttention(attention) for _, _, attention in self.places]

    def __enter__(self):
        for (part, name, _), cache in zip(self.places, self.caches, strict=True):
            setattr(part, name, cache)
        return self

    def __exit__(self, *error):
        for part, name, attention in self.places:
            setattr(part, name, attention)
        self.model.train(self.was_training)

    def step(self, ids):
        newest = self.model.tgt_embed(ids)[:, -1:]  # (R, 1, D), at its own position
        tgt_mask = padding_mask(ids, self.model.pad_id)  # no future to hide, only padding
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, alive):
        for cache in self.caches:
            cache.keep(rows, alive)


def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended is left out.
    """
    ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
    alive = torch.ones_like(src[:, 0], dtype=torch.bool)  # (N,)
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(1) < max_len and alive.any():
            log_probs = decoder.step(ids[alive])  # (R, V)
            token = torch.full_like(ids[:, 0], model.pad_id)  # (N,)
            token[alive] = log_probs.argmax(dim=-1)
            ids = torch.hstack([ids, token.unsqueeze(1)])  # (N, length)
            going = alive & (token != eos_id)
            decoder.keep(going[alive], going.unsqueeze(1))
            alive = going
    return ids


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
            decoder.keep(row.gather(1, parent)[alive], alive)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
