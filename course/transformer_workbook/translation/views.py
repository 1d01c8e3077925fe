"""Looking at a translation: where cross-attention went, what beam search kept, number by number.

Nothing here knows how the student's layers call their parts: attention is found by its shape, in
whatever module keeps it as `weights`.
"""

import textwrap

import torch
from torch.nn import functional

from .. import show
from ..shared.explain import texts
from ..show.widgets import explore
from ..standins.training import at_rest
from ..training import number_words


def cross_attention(model, src: torch.Tensor, tgt: torch.Tensor, *, each_head: bool = False):
    """The cross-attention of the last decoder layer for one sentence, averaged over heads.

    src is `(1, S)`, tgt a whole target with both marks, `(1, T + 1)`. The result is `(T, S)`, or
    `(H, T, S)` for `each_head`: row t is where the model looked to write token t + 1 of tgt.
    Raises LookupError if no module keeps such weights.
    """
    length, written = src.size(1), tgt.size(1) - 1
    if length == written:
        # One more position of padding: no self-attention has the shape of cross-attention then.
        src = functional.pad(src, (0, 1), value=model.pad_id)
    shape = (1, written, src.size(1))
    seen: list[torch.Tensor] = []

    def look(module, _arguments, _result) -> None:
        weights = getattr(module, "weights", None)
        found = isinstance(weights, torch.Tensor) and weights.dim() == 4
        if found and (weights.size(0), *weights.shape[2:]) == shape:
            seen.append(weights.detach())

    hooks = [module.register_forward_hook(look) for module in model.modules()]
    try:
        with at_rest(model):
            model(src, tgt.narrow(1, 0, written))
    finally:
        for hook in hooks:
            hook.remove()
    if not seen:
        raise LookupError(texts()["views"]["no_weights"].format(shape=("H", *shape[1:])))
    heads = seen[-1][0, :, :, :length].cpu()  # called last: the last layer
    return heads if each_head else heads.mean(dim=0)


def alignment(model, number: int | str, decode, **options) -> show.Picture:
    """A number, the model's English for it, and where the model looked for each word.

    `number` may be its German word, too; `decode` is your greedy_decode or beam_search.
    """
    n = number if isinstance(number, int) else number_words.parse_german(number)
    device = next(model.parameters()).device
    src = number_words.pad([number_words.pair(n)[0]], device)
    bos, eos = number_words.BOS, number_words.EOS
    ids = decode(model, src, number_words.MAX_LEN, bos, eos, **options)[:1]
    words = number_words.ENGLISH.decode(ids[0])
    english = number_words.join_english(words)
    said = texts()["views"]
    right = english == number_words.english(n)
    title = said["right" if right else "wrong"].format(
        n=n,
        german=number_words.german(n),
        english=english,
        expected=number_words.english(n),
    )
    # The picture is as wide as the source is long, and a wrong answer may be far longer.
    room = min(max(40, 22 + 6 * src.size(1)), 88)
    lines = [
        textwrap.fill(line, room, break_long_words=False, break_on_hyphens=False)
        for line in title.splitlines()
    ]
    tgt = number_words.pad([number_words.ENGLISH.encode(words, bos=True, eos=True)], device)
    weights = cross_attention(model, src, tgt)
    end = number_words.Vocabulary.SPECIAL[eos]
    return show.alignment(
        weights, [*number_words.german_tokens(n), end], [*words, end], title="\n".join(lines)
    )


def number_explorer(model, decode, n: int = 725, **options):
    """Type a number: its German, the model's English, and the alignment between them.

    `decode` is your greedy_decode or beam_search, `options` go to it. Where no widget can work the
    picture for `n` stands alone.
    """

    def draw(n: int = n) -> show.Picture:
        return alignment(model, n, decode, **options)

    def box(library):
        return library.BoundedIntText(
            value=n,
            min=0,
            max=number_words.LARGEST,
            description=texts()["views"]["number"],
            continuous_update=False,
        )

    return explore(draw, {"n": box})


def beam_tree(
    model,
    src: torch.Tensor,
    tokens: list[str],
    *,
    max_len: int = number_words.MAX_LEN,
    bos_id: int = number_words.BOS,
    eos_id: int = number_words.EOS,
    beam_size: int = 3,
    length_penalty: float = 0.6,
) -> list[dict]:
    """What a beam search looks at for one source, `(1, S)`, as nodes for `show.tree`.

    `tokens` names the target's ids, such as `wb.number_words.ENGLISH.tokens`. Of each step the
    continuations that were kept are nodes, and as many of the best that were not.
    """
    nodes = [{"id": 0, "parent": None, "token": tokens[bos_id], "log_prob": 0.0, "kept": True}]
    beam: dict[int, list[int]] = {0: [bos_id]}  # the ids that lead to each kept node
    with at_rest(model):
        for length in range(1, max_len):
            open_ends = {id: path for id, path in beam.items() if path[-1] != eos_id}
            if not open_ends:
                break
            # The model's own forward pass, from the start each time: slow, and easy to trust.
            said = model(
                src.expand(len(open_ends), -1),
                torch.tensor([*open_ends.values()], device=src.device),
            ).select(1, length - 1)
            found = said.log_softmax(dim=1).cpu().double()
            rivals = [(_score(nodes[id], beam[id], length_penalty), id, None) for id in beam]
            rivals = [rival for rival in rivals if rival[1] not in open_ends]
            for id, row in zip(open_ends, found, strict=True):
                for token in row.argsort(descending=True)[: 2 * beam_size].tolist():
                    child = {
                        "id": None,
                        "parent": id,
                        "token": tokens[token],
                        "log_prob": nodes[id]["log_prob"] + row[token].item(),
                        "kept": False,
                    }
                    path = [*beam[id], token]
                    rivals.append((_score(child, path, length_penalty), child, path))
            rivals.sort(key=lambda rival: rival[0], reverse=True)
            grown: dict[int, list[int]] = {}
            for rank, (_, rival, path) in enumerate(rivals[: 2 * beam_size]):
                if path is None:  # it ended before, and stays or falls as it is
                    if rank < beam_size:
                        grown[rival] = beam[rival]
                    continue
                rival |= {"id": len(nodes), "kept": rank < beam_size}
                nodes.append(rival)
                if rival["kept"]:
                    grown[rival["id"]] = path
            beam = grown
    return nodes


def _score(node: dict, path: list[int], length_penalty: float) -> float:
    written = len(path) - 1
    return node["log_prob"] * (6 / (5 + written)) ** length_penalty
