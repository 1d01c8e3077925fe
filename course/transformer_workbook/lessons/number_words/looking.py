"""Tensors from inside the trained translator."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from ...shared.language import _
from ..number_words import words as number_words
from ..number_words.words import BOS, ENGLISH
from .model import trained
from .playing import END, cross_attention_weights, decoded, german_parts, source


def inside_cross_attention(
    sentence: int | str = 725,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, list[str], list[str]]:
    """What the last cross-attention works on while it translates a sentence, all heads at once.

    Returns queries (H, T_q, d_k), keys (H, T_k, d_k) and values (H, T_k, d_v), then the English
    words that ask and the German parts that are asked.
    """
    german = german_parts(sentence)
    english = decoded(trained(), source(german))[0]
    attention = trained().decoder.layers[-1].cross_attn
    with _calls_of(attention.w_q, attention.w_k, attention.w_v) as calls:
        cross_attention_weights(german, english)
    heads = attention.num_heads
    q, k, v = (torch.stack(rows[0].tensor_split(heads, dim=-1)) for _x, rows in calls)
    return q, k, v, [*english, END], [*german, END]


def before_a_norm(numbers: Sequence[int]) -> tuple[torch.Tensor, list[list[str]]]:
    """What the encoder's first norm gets for a batch of numbers: vectors (N, T, D) and tokens.

    The tokens are N lists of T strings, padding included.
    """
    norm = trained().encoder.layers[0].sublayers[0].norm
    src = source(*map(number_words.german_tokens, numbers))
    with _calls_of(norm) as calls, torch.no_grad():
        trained()(src, torch.full_like(src[:, :1], BOS))
    tokens = [[number_words.GERMAN.tokens[id] for id in row] for row in src.tolist()]
    return calls[0][0], tokens


def before_the_words(sentence: int | str = 725) -> tuple[torch.Tensor, list[str]]:
    """The decoder's vectors, (T, D), and the English words that are read off them, one a row."""
    german = german_parts(sentence)
    model = trained()
    english = decoded(model, source(german))[0]
    with _calls_of(model.decoder) as calls:
        cross_attention_weights(german, english)
    return calls[0][1][0], [*english, END]


def next_words(
    sentence: int | str = 725, so_far: str = "", count: int = 3
) -> list[tuple[str, float]]:
    """The likeliest next words of a translation that has begun, each with its probability.

    `so_far` has the English words that are written, such as "seven hundred". Raises ValueError for
    a word that the translator does not know.
    """
    words = so_far.replace("-", " ").split()
    if strange := [word for word in words if word not in ENGLISH.tokens]:
        message = _("The translator does not know {words}; expected number words such as hundred.")
        raise ValueError(message.format(words=", ".join(strange)))
    tgt = number_words.pad([ENGLISH.encode(words, bos=True)])
    with torch.no_grad():
        shares = trained()(source(german_parts(sentence)), tgt)[0, -1].softmax(dim=-1)
    likeliest, tokens = shares.topk(count)
    pairs = zip(tokens.tolist(), likeliest.tolist(), strict=True)
    return [(ENGLISH.tokens[token], round(share, 4)) for token, share in pairs]


@contextmanager
def _calls_of(*modules: nn.Module) -> Iterator[list[tuple[torch.Tensor, torch.Tensor]]]:
    """What each call of these modules gets first and returns, in the order of the calls."""
    calls: list[tuple[torch.Tensor, torch.Tensor]] = []
    hooks = [
        module.register_forward_hook(lambda _m, inputs, output: calls.append((inputs[0], output)))
        for module in modules
    ]
    try:
        yield calls
    finally:
        for hook in hooks:
            hook.remove()
