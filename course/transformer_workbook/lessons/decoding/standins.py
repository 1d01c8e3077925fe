"""Stand-ins for lesson 10."""

from heapq import nlargest

import torch

from transformer_workbook.lessons.masks.standins import padding_mask, target_mask
from transformer_workbook.lessons.training.standins import at_rest


def _next_log_probs(model, ids, memory, src_mask):
    """Log-probabilities of the next token for each row, (rows, V)."""
    mask = target_mask(ids, pad_id=model.pad_id)
    vectors = model.decode(ids, memory, src_mask=src_mask, tgt_mask=mask)
    return model.generator(vectors.select(1, ids.shape[1] - 1))


def greedy_decode(model, src, max_len, bos_id, eos_id):
    """Append the most probable token to all rows that have not ended; ids (N, length)."""
    page = src.new_full((len(src), max(max_len, 1)), model.pad_id)
    page[:, 0] = bos_id
    written = 1
    with at_rest(model):
        mask = padding_mask(src, pad_id=model.pad_id)
        memory = model.encode(src, src_mask=mask)
        rows = torch.arange(len(src), device=src.device)
        while written < max_len and len(rows):
            begun = page[rows, :written]
            tokens = _next_log_probs(model, begun, memory[rows], mask[rows]).max(dim=1).indices
            page[rows, written] = tokens
            written += 1
            rows = rows[tokens.ne(eos_id)]
    return page.narrow(1, 0, written)


def beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The best translation of each source, one source at a time; ids (N, length)."""

    def score(hypothesis):
        ids, log_prob = hypothesis
        return log_prob / ((len(ids) + 4) / 6) ** length_penalty

    def is_over(hypothesis):
        ids, _ = hypothesis
        return len(ids) >= max_len or (len(ids) > 1 and ids[-1] == eos_id)

    translations = []
    with at_rest(model):
        for sentence in src.split(1):
            mask = padding_mask(sentence, pad_id=model.pad_id)
            memory = model.encode(sentence, src_mask=mask)
            beam = [([bos_id], 0.0)]
            while not all(map(is_over, beam)):
                growing = [row for row in beam if not is_over(row)]
                candidates = [row for row in beam if is_over(row)]
                following = _next_log_probs(
                    model,
                    torch.tensor([ids for ids, _ in growing], device=src.device),
                    memory.expand(len(growing), -1, -1),
                    mask.expand(len(growing), -1, -1, -1),
                )
                values, tokens = following.topk(min(beam_size, following.shape[1]))
                for (ids, so_far), more, new in zip(
                    growing, values.tolist(), tokens.tolist(), strict=True
                ):
                    candidates += [([*ids, t], so_far + v) for v, t in zip(more, new, strict=True)]
                beam = nlargest(beam_size, candidates, key=score)
            translations.append(max(beam, key=score)[0])
    longest = max(map(len, translations))
    rows = [ids + [model.pad_id] * (longest - len(ids)) for ids in translations]
    return torch.tensor(rows, device=src.device)
