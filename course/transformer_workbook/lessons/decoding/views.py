"""Pictures of a translation: cross-attention, number by number, and the tree of a beam search.

Students may name the parts of their layers freely. So cross-attention is found by the shape of the
`weights` that a module keeps.
"""

import textwrap
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ... import show
from ...shared.language import _
from ...show.widgets import explore
from ..number_words import words as number_words
from ..number_words.words import BOS, EOS, MAX_LEN
from ..training.standins import at_rest


def cross_attention(model: nn.Module, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
    """The cross-attention of the last decoder layer for one sentence, averaged over heads.

    src is `(1, S)`, tgt a whole target with BOS and EOS, `(1, T + 1)`. The result is `(T, S)`:
    row t holds the weights with which token t + 1 of tgt is predicted.
    Raises LookupError if no module keeps such weights.
    """
    length, predicted = src.size(1), tgt.size(1) - 1
    if length == predicted:
        # Pad the source by one position, so that self-attention has another shape.
        src = functional.pad(src, (0, 1), value=model.pad_id)
    shape = (1, predicted, src.size(1))
    recorded: list[torch.Tensor] = []

    def record(module, _arguments, _result) -> None:
        weights = getattr(module, "weights", None)
        is_attention = isinstance(weights, torch.Tensor) and weights.dim() == 4
        if is_attention and (weights.size(0), *weights.shape[2:]) == shape:
            recorded.append(weights.detach())

    hooks = [module.register_forward_hook(record) for module in model.modules()]
    try:
        with at_rest(model):
            model(src, tgt.narrow(1, 0, predicted))
    finally:
        for hook in hooks:
            hook.remove()
    if not recorded:
        message = _(
            "No module of the model kept attention weights of the shape {shape}. "
            "MultiHeadAttention keeps those of its last call in self.weights, (N, H, T_q, "
            "T_k), also in the cross-attention of the decoder."
        )
        raise LookupError(message.format(shape=("H", *shape[1:])))
    return recorded[-1][0, :, :, :length].cpu().mean(dim=0)  # of the last layer


def alignment(
    model: nn.Module, number: int | str, decode: number_words.Decode, **options: Any
) -> show.Picture:
    """Draw the cross-attention of a number's translation, with the translation as title.

    `number` is an int or a German number word; `decode` is your greedy_decode or beam_search, and
    gets `options`. Raises ValueError for anything that is no number from 0 to 999,999.
    """
    n = number if isinstance(number, int) else number_words.parse_german(number)
    device = next(model.parameters()).device
    src = number_words.pad([number_words.pair(n)[0]], device)
    ids = decode(model, src, MAX_LEN, BOS, EOS, **options)[:1]
    words = number_words.ENGLISH.decode(ids[0])
    english = number_words.join_english(words)
    title = _("{n}: {german}\nthe model: {english}\nexpected: {expected}")
    if english == number_words.english(n):
        title = _("{n}: {german}\nthe model: {english}")
    said = {"german": number_words.german(n), "expected": number_words.english(n)}
    title = title.format(n=n, english=english or _("(nothing)"), **said)
    # The picture is as wide as the source is long, but a wrong answer may be far longer.
    width = min(max(40, 22 + 6 * src.size(1)), 88)
    whole = {"break_long_words": False, "break_on_hyphens": False}
    lines = [textwrap.fill(line, width, **whole) for line in title.splitlines()]
    tgt = number_words.pad([number_words.ENGLISH.encode(words, bos=True, eos=True)], device)
    weights = cross_attention(model, src, tgt)
    end = number_words.Vocabulary.SPECIAL[EOS]
    return show.alignment(
        weights, [*number_words.german_tokens(n), end], [*words, end], title="\n".join(lines)
    )


def number_explorer(
    model: nn.Module, decode: number_words.Decode, n: int = 725, **options: Any
) -> object:
    """A widget to enter a number, and its `alignment`; without a kernel, the picture for `n`.

    `decode` is your greedy_decode or beam_search, and gets `options`.
    """

    def draw(n: int = n) -> show.Picture:
        return alignment(model, n, decode, **options)

    def box(library):
        look = {"description": _("number"), "continuous_update": False}
        return library.BoundedIntText(value=n, min=0, max=number_words.LARGEST, **look)

    return explore(draw, {"n": box})


def beam_tree(
    model: nn.Module, src: torch.Tensor, tokens: list[str], beam_size: int, max_len: int = MAX_LEN
) -> list[dict]:
    """The hypotheses of a beam search for one source, `(1, S)`, as nodes for `show.tree`.

    `tokens` are the target's tokens by id, such as `wb.number_words.ENGLISH.tokens`. Each step adds
    the `beam_size` continuations that it keeps, and the next best `beam_size` that it prunes. They
    are ranked by their `score`, the log-probability divided by the length penalty.
    """
    nodes = [{"id": 0, "parent": None, "token": tokens[BOS], "log_prob": 0.0, "kept": True}]
    beam: dict[int, list[int]] = {0: [BOS]}  # the ids that lead to each kept node
    with at_rest(model):
        for length in range(1, max_len):
            open_ends = {id: path for id, path in beam.items() if path[-1] != EOS}
            if not open_ends:
                break
            # A whole forward pass for each step: slow and simple.
            prefixes = torch.tensor([*open_ends.values()], device=src.device)
            output = model(src.expand(len(open_ends), -1), prefixes).select(1, length - 1)
            log_probs = output.log_softmax(dim=1).cpu().double()  # (open ends, V)
            rivals = [(_score(nodes[id], beam[id]), id, None) for id in beam]
            rivals = [rival for rival in rivals if rival[1] not in open_ends]
            for id, row in zip(open_ends, log_probs, strict=True):
                for token in row.argsort(descending=True)[: 2 * beam_size].tolist():
                    total = nodes[id]["log_prob"] + row[token].item()
                    child = {"id": None, "parent": id, "log_prob": total, "kept": False}
                    child["token"] = tokens[token]
                    path = [*beam[id], token]
                    rivals.append((_score(child, path), child, path))
            rivals.sort(key=lambda rival: rival[0], reverse=True)
            grown: dict[int, list[int]] = {}
            for rank, (score, rival, path) in enumerate(rivals[: 2 * beam_size]):
                if path is None:  # ended in an earlier step
                    if rank < beam_size:
                        grown[rival] = beam[rival]
                    continue
                rival |= {"id": len(nodes), "kept": rank < beam_size, "score": score}
                nodes.append(rival)
                if rival["kept"]:
                    grown[rival["id"]] = path
            beam = grown
    return nodes


def _score(node: dict, path: list[int]) -> float:
    written = len(path) - 1
    return node["log_prob"] * (6 / (5 + written)) ** 0.6
