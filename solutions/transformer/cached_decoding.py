"""Decoding that remembers: keys and values of what is written are computed once, not again."""

import torch

from transformer.faster import CachedMultiHeadAttention
from transformer.masks import padding_mask


class CachedDecoder:
    """A model's decoder, told one position at a time; the model itself is lent, and given back.

    with CachedDecoder(model, src) as decoder:
        log_probs = decoder.step(ids)  # ids so far, (R, length), to log-probabilities (R, V)
        decoder.keep(rows, sentences)  # the rows, and the sentences, that are to go on
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
        tgt_mask = padding_mask(ids, self.model.pad_id)  # the newest one has no future to hide
        decoded = self.model.decoder(newest, self.memory, self.src_mask, tgt_mask)
        log_probs = self.model.generator(decoded[:, -1])  # (R, V)
        return log_probs

    def keep(self, rows, sentences):
        for cache in self.caches:
            cache.keep(sentences if cache.of_memory else rows)
        self.memory = self.memory[sentences]
        self.src_mask = self.src_mask[sentences]


def cached_greedy_decode(model, src, max_len, bos_id, eos_id):
    """The ids that greedy_decode writes, (N, length), with one position a step.

    A row that has ended leaves the batch.
    """
    ids = src.new_full((src.size(0), max(max_len, 1)), model.pad_id)
    ids[:, 0] = bos_id
    rows = torch.arange(src.size(0), device=src.device)  # those that have not ended
    length = 1
    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while length < max_len and len(rows) > 0:
            log_probs = decoder.step(ids[rows, :length])
            token = log_probs.argmax(dim=-1)
            ids[rows, length] = token
            length += 1
            going = token != eos_id
            rows = rows[going]
            decoder.keep(going, going)
    ids = ids[:, :length]
    return ids


def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step.

    A sentence leaves the batch when all of its beam has ended.
    """
    batch, minus_inf = src.size(0), float("-inf")
    found = src.new_full((batch, max(max_len, 1)), model.pad_id)  # the best of each so far
    found[:, 0] = bos_id
    found_length = src.new_zeros(batch)
    sentences = torch.arange(batch, device=src.device)  # those that are searched on

    ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length), as in beam_search
    total = torch.zeros(batch, beam_size, device=src.device)
    total[:, 1:] = minus_inf
    length = src.new_zeros(batch, beam_size)
    ended = total == minus_inf

    with torch.no_grad(), CachedDecoder(model, src) as decoder:
        while ids.size(2) < max_len and len(sentences) > 0:
            log_probs = decoder.step(ids.flatten(0, 1)).unflatten(0, (-1, beam_size))
            # Only the best few continuations of a beginning can be among the best of all.
            width = min(beam_size, log_probs.size(2))
            log_probs, tokens = log_probs.topk(width)  # (N, B, width)

            # What has ended goes on in one way only, with padding, at no cost.
            log_probs = log_probs.masked_fill(ended.unsqueeze(2), minus_inf)
            log_probs[:, :, 0].masked_fill_(ended, 0.0)
            tokens[:, :, 0].masked_fill_(ended, model.pad_id)

            totals = log_probs + total.unsqueeze(2)  # (N, B, width)
            length = length + ~ended
            shrink = ((length + 5) / 6) ** length_penalty
            best = (totals / shrink.unsqueeze(2)).flatten(1).topk(beam_size).indices  # (N, B)
            parent = best // width
            token = tokens.flatten(1).gather(1, best)
            total = totals.flatten(1).gather(1, best)
            grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
            ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
            length = length.gather(1, parent)
            ended = ended.gather(1, parent) | (token == eos_id)
            found[sentences, : ids.size(2)] = ids[:, 0]
            found_length[sentences] = length[:, 0]

            # The caches of each row have to follow its parent, and who has ended leaves.
            first_row = beam_size * torch.arange(len(sentences), device=src.device)  # (N,)
            rows = first_row.unsqueeze(1) + parent  # (N, B)
            going = ~ended.all(dim=1)
            decoder.keep(rows[going].flatten(), going)
            sentences, ids, total = sentences[going], ids[going], total[going]
            length, ended = length[going], ended[going]
    found = found[:, : found_length.max() + 1]
    return found
