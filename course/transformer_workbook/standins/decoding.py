"""Stand-ins for lesson 10: one sentence at a time, each translation a Python list."""

from contextlib import contextmanager
from heapq import nlargest

import torch

from transformer_workbook.standins.masks import padding_mask, target_mask


@contextmanager
def _reading(model):
    modes = {module: module.training for module in model.modules()}
    model.train(False)
    try:
        with torch.inference_mode():
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def _next_log_probs(model, beginnings, memory, src_mask):
    """What may follow each of several beginnings, equally long, of one sentence's translation."""
    ids = torch.tensor(beginnings, device=memory.device)
    count = len(beginnings)
    mask = target_mask(ids, pad_id=model.pad_id)
    memory, src_mask = memory.expand(count, -1, -1), src_mask.expand(count, -1, -1, -1)
    vectors = model.decode(ids, memory, src_mask=src_mask, tgt_mask=mask)
    return model.generator(vectors.select(1, ids.shape[1] - 1))


def _padded(translations, src, pad_id):
    longest = max(map(len, translations))
    rows = [ids + [pad_id] * (longest - len(ids)) for ids in translations]
    return torch.tensor(rows, device=src.device)


def greedy_decode(model, src, max_len, bos_id, eos_id):
    """The likeliest next token, again and again; ids (N, length)."""
    return beam_search(model, src, max_len, bos_id, eos_id, beam_size=1)


def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The best translation that the beam holds at the end; ids (N, length)."""

    def score(hypothesis):
        ids, log_prob = hypothesis
        return log_prob / ((len(ids) + 4) / 6) ** length_penalty

    def is_over(hypothesis):
        ids, _ = hypothesis
        return len(ids) >= max_len or (len(ids) > 1 and ids[-1] == eos_id)

    translations = []
    with _reading(model):
        for sentence in src.split(1):
            mask = padding_mask(sentence, pad_id=model.pad_id)
            memory = model.encode(sentence, src_mask=mask)
            beam = [([bos_id], 0.0)]
            while not all(map(is_over, beam)):
                growing = [one for one in beam if not is_over(one)]
                candidates = [one for one in beam if is_over(one)]
                following = _next_log_probs(model, [ids for ids, _ in growing], memory, mask)
                values, tokens = following.topk(min(beam_size, following.shape[1]))
                for (ids, so_far), more, new in zip(
                    growing, values.tolist(), tokens.tolist(), strict=True
                ):
                    candidates += [([*ids, t], so_far + v) for v, t in zip(more, new, strict=True)]
                beam = nlargest(beam_size, candidates, key=score)
            translations.append(max(beam, key=score)[0])
    return _padded(translations, src, model.pad_id)
