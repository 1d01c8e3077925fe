"""The cases of the checks in the notebook of lesson 15. Inputs and results go to students."""

from dataclasses import replace

import torch

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "apply_rotary": [
            turn(draw, "one head", (3, 4), "3 positions, 4 features"),
            turn(draw, "heads", (2, 3, 5, 6), "2 texts, 3 heads, 5 positions, 6 features",
                 base=50.0),
            turn(draw, "square", (2, 8, 8), "as many positions as features", base=100.0),
            turn(draw, "one position", (2, 1, 4), "a single position"),
            turn(draw, "another base", (2, 6, 10), "a base of 100, then of 30", {"base": 30.0},
                 base=100.0),
            turn(draw, "later", (2, 3, 6), "3 positions after 4 others, start=4", start=4),
            turn(draw, "float64", (2, 3, 4), "float64").in_float64(),
            turn_in_16_bits(draw, "bfloat16", (2, 3, 6), "bfloat16, from position 501 on"),
            Case("device", "turn_there", {"x": draw.normal(2, 3, 4)}, says="x on another device"),
        ],
        "GroupedQueryAttention": [
            attend(draw, "groups", 6, 2, (2, 3, 24), "6 heads, 2 keys and values"),
            attend(draw, "masked", 4, 2, (2, 5, 16), "4 heads, 2 keys, a mask", masked=True),
            attend(draw, "one key", 3, 1, (2, 4, 12), "3 heads, 1 key: multi-query", masked=True),
            attend(draw, "as many keys", 2, 2, (1, 4, 12), "as many keys as heads: multi-head"),
            attend(draw, "one position", 6, 3, (3, 1, 12), "texts of one token"),
            attend(draw, "later", 4, 2, (2, 3, 8), "a text that begins at position 7", start=7),
            attend(draw, "float64", 4, 2, (1, 3, 8), "float64").in_float64(),
            attend_in_pieces(draw, "pieces", 6, 2, (2, 6, 12), [3, 1, 2], "3 tokens, 1, then 2"),
            attend_in_pieces(draw, "token by token", 4, 2, (3, 4, 16), [1, 1, 1, 1],
                             "token by token"),
        ],
        "LlamaLayer": [
            transform(draw, "groups", 6, 2, 10, (2, 3, 24), "6 heads, 2 keys and values"),
            transform(draw, "masked", 4, 2, 7, (2, 5, 8), "4 heads, 2 keys, a mask", masked=True),
            transform(draw, "one position", 2, 1, 6, (3, 1, 4), "texts of one token"),
            transform(draw, "float64", 4, 2, 5, (1, 3, 8), "float64").in_float64(),
            transform_in_pieces(draw, "pieces", 4, 2, 6, (2, 6, 8), [3, 1, 2],
                                "3 tokens, 1, then 2"),
        ],
    }  # fmt: skip


def turn(draw, name, shape, says="", then=None, **options):
    """Called twice: the second time from position 9 on, unless `then` says otherwise."""
    inputs = {"x": draw.normal(*shape), "then": then or {"start": 9}, **options}
    control = "start-ignored" if "start" in options else ""
    return Case(name, "turn", inputs, says=says, control=control)


def turn_in_16_bits(draw, name, shape, says="", start=501):
    """Late positions: rounded to 16 bits, they would be others."""
    inputs = {"x": draw.normal(*shape), "start": start}
    rules = {"turned": Rule(atol=0.05, rtol=0.05)}
    return Case(name, "turn_in_16_bits", inputs, rules, says=says, control="angles-in-16-bits")


def attend(draw, name, heads, kv_heads, shape, says="", masked=False, **later):
    inputs = {"num_heads": heads, "num_kv_heads": kv_heads, "x": draw.normal(*shape), **later}
    if masked:
        inputs["mask"] = causal(shape[1])
    return Case(name, "attend", inputs, says=says)


def attend_in_pieces(draw, name, heads, kv_heads, shape, lengths, says=""):
    inputs = {
        "num_heads": heads,
        "num_kv_heads": kv_heads,
        "x": draw.normal(*shape),
        "lengths": lengths,
    }
    return Case(
        name, "attend_in_pieces", inputs, says=says, control="repeated-before-they-are-kept"
    )


def transform(draw, name, heads, kv_heads, d_ff, shape, says="", masked=False, **later):
    case = attend(draw, name, heads, kv_heads, shape, says, masked, **later)
    return replace(case, inputs={**case.inputs, "d_ff": d_ff})


def transform_in_pieces(draw, name, heads, kv_heads, d_ff, shape, lengths, says=""):
    case = attend_in_pieces(draw, name, heads, kv_heads, shape, lengths, says)
    inputs = {**case.inputs, "d_ff": d_ff}
    return replace(case, inputs=inputs, control="cache-not-passed")


def causal(length):
    """(1, 1, length, length), True on and below the diagonal."""
    return torch.ones(1, 1, length, length, dtype=torch.bool).tril()
