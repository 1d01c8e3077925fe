"""Decoding that remembers: keys and values of what is written are computed once, not again."""

import torch

from transformer.cached_attention import KeyValueCache, cached_layer, keys_and_values
from transformer.masks import padding_mask


class CachedDecoder:
    """A model's decoder, one position at a time, for translations of at most max_len tokens.

    It reads the sources, (N, S), once. The model is in eval mode already, and stays as it is.
    """

    def __init__(self, model, src, max_len):
        self.model = model
        self.src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, self.src_mask)
        layers = model.decoder.layers
        self.memories = [keys_and_values(layer.cross_attn, memory) for layer in layers]
        self.caches = [KeyValueCache(max_len) for _ in layers]

    def step(self, ids):
        """Log-probabilities of the next token, (R, V), after R rows of ids, (R, length).

        All but the newest of ids were read in the steps before. Each source has R / N rows.
        """
        model = self.model
        tokens, positions = model.tgt_embed
        start = ids.size(1) - 1
        x = positions(tokens(ids[:, -1:]), start)  # (R, 1, D)
        tgt_mask = padding_mask(ids, model.pad_id)  # no future to hide, only padding
        stack = zip(model.decoder.layers, self.caches, self.memories, strict=True)
        for layer, cache, memory in stack:
            x = cached_layer(layer, x, cache, tgt_mask, memory, self.src_mask)
        decoded = model.decoder.norm(x)
        log_probs = model.generator(decoded[:, -1])
        return log_probs

    def reorder(self, rows):
        """Continue with these rows, (R,): each the row of the same source that it grew from."""
        for cache in self.caches:
            cache.reorder(rows)


def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            decoder = CachedDecoder(model, src, max_len)
            ids = torch.full_like(src[:, :1], bos_id)  # (N, 1)
            ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (N,)
            while not (ended.all() or ids.size(1) == max_len):
                log_probs = decoder.step(ids)  # (N, V)
                token = log_probs.argmax(dim=-1).masked_fill(ended, model.pad_id)
                ids = torch.hstack([ids, token.unsqueeze(1)])
                ended = ended | (token == eos_id)
    finally:
        model.train(was_training)
    return ids


def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            decoder = CachedDecoder(model, src, max_len)
            first = beam_size * torch.arange(batch, device=src.device).unsqueeze(1)  # (N, 1)
            ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            while not (ended.all() or ids.size(2) == max_len):
                log_probs = decoder.step(ids.flatten(0, 1))  # (N*B, V)
                # Only the best few continuations of a prefix can be among the best of all.
                width = min(beam_size, log_probs.size(1))
                added, tokens = log_probs.topk(width)
                added, tokens = (best.view(*ended.shape, width) for best in (added, tokens))
                added = added.masked_fill(ended.unsqueeze(2), minus_inf)
                added[:, :, 0].masked_fill_(ended, 0.0)
                tokens = tokens.masked_fill(ended.unsqueeze(2), model.pad_id)

                totals = added + total.unsqueeze(2)  # (N, B, width)
                length = length + ~ended
                shrink = ((length + 5) / 6) ** length_penalty
                ranked = (totals / shrink.unsqueeze(2)).flatten(1)  # (N, B * width)
                best = ranked.topk(beam_size).indices  # (N, B)
                total = totals.flatten(1).gather(1, best)
                parent = best // width
                token = tokens.flatten(1).gather(1, best)

                decoder.reorder((first + parent).flatten())  # each has its parent's past
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids
