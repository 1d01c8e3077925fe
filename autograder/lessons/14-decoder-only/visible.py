"""The cases of the checks in the notebook of lesson 14. Inputs and results go to students."""

import torch

import transformer
from autograder.lesson.cases import Case, Rule
from transformer_workbook.lessons.decoder_only.probes import Opinionated

SMALL = {"vocab_size": 7, "d_model": 8, "num_heads": 2, "d_ff": 12, "num_layers": 1}
DEEP = {"vocab_size": 9, "d_model": 12, "num_heads": 3, "d_ff": 10, "num_layers": 2}
LARGE = {"vocab_size": 120, "d_model": 36, "num_heads": 4, "d_ff": 20, "num_layers": 2}
TINY = {"vocab_size": 6, "d_model": 8, "num_heads": 2}
WIDE = {"vocab_size": 8, "d_model": 12, "num_heads": 3}
END = 1  # the number of <end>


def cases(draw):
    return {
        "CausalLM": [
            predict(draw, "one layer", SMALL, (2, 4), "2 texts of 4 tokens, one layer"),
            predict(draw, "two layers", DEEP, (3, 5), "two layers, 3 heads"),
            predict(draw, "one token", SMALL, (1, 1), "a text of one token"),
            predict(draw, "later", DEEP, (2, 3), "3 tokens after 4 others, start=4", start=4),
            predict(draw, "in turn", DEEP, (2, 4), "2 tokens of a text, then all 4",
                    probe="predict_in_turn"),
            predict_on(draw, "read on", DEEP, (2, 5), [3, 1, 1],
                       "a text of 5 tokens: the first 3, then one by one"),
            predict(draw, "float64", SMALL | {"dropout": 0.2, "pad_id": 3}, (2, 3), "float64",
                    probe="predict_exactly"),
            elsewhere(draw, "device", SMALL, (2, 3), "ids and model on another device"),
            other_future(draw, "future", DEEP, (2, 6), 3, "the tokens from position 3 on change"),
            in_training(draw, "dropout", SMALL | {"dropout": 0.3}, (2, 3), "dropout in training"),
            backward(draw, "gradients", SMALL | {"pad_id": 3}, (2, 4), "gradients, pad_id = 3"),
            backward(draw, "usual padding", SMALL, (3, 3), "gradients, no pad_id given: it is 0"),
            Case("parts", "parts", LARGE | {"dropout": 0.25}, says="what a new model is made of"),
            Case("usual dropout", "parts", dict(LARGE), says="no dropout given: it is 0.1"),
        ],
        "next_token_loss": [
            compare(draw, "batch", (2, 4, 5), 0, [(1, 3)], "2 texts, one with padding at its end"),
            compare(draw, "no padding", (3, 3, 4), 1, [], "as many texts as positions, no padding"),
            compare(draw, "other padding", (2, 5, 6), 4, [(0, 3), (0, 4), (1, 4)],
                    "padding is token 4"),
            compare(draw, "usual padding", (2, 4, 6), None, [(0, 3)], "no pad_id given: it is 0"),
        ],
        "next_token_probabilities": [
            soften(draw, "as they are", (2, 5), "2 rows of logits, no options"),
            soften(draw, "cool", (3, 4), "a temperature of 0.5", temperature=0.5),
            soften(draw, "hot", (2, 6), "a temperature of 2", temperature=2.0),
            soften(draw, "greedy", (3, 5), "a temperature of 0", temperature=0),
            soften(draw, "three", (2, 6), "top_k of 3", top_k=3),
            soften(draw, "one", (2, 4), "top_k of 1", top_k=1),
            soften(draw, "both", (3, 7), "a temperature of 0.7, top_k of 4", temperature=0.7,
                   top_k=4),
            soften(draw, "greedy of two", (2, 4), "a temperature of 0, top_k of 2",
                   temperature=0, top_k=2),
            soften(draw, "more than there are", (2, 4), "top_k of 9, more than there are tokens",
                   top_k=9),
            soften(draw, "each position", (2, 3, 5), "logits of 2 texts of 3 positions", top_k=2),
            soften(draw, "one row", (5,), "a single row of logits", top_k=2),
            soften(draw, "uneven rows", (3, 5), "one row with far larger logits than the next",
                   apart=4.0, top_k=2),
        ],
        "generate": [
            write(draw, "greedy", TINY, (3, 4), 5, "3 texts, temperature 0", temperature=0),
            write(draw, "top_k of 1", WIDE, (2, 3), 6, "2 texts, top_k of 1", top_k=1),
            write(draw, "train mode", TINY | {"dropout": 1.0}, (2, 2), 4, "a model in train mode",
                  training=True, temperature=0),
            write(draw, "one token", TINY, (2, 1), 3, "prompts of one token", temperature=0),
            write(draw, "nothing", TINY, (2, 3), 0, "max_new_tokens of 0, in train mode",
                  training=True, temperature=0),
            write(draw, "three layers", TINY | {"num_layers": 3}, (2, 2), 3,
                  "a model of 3 layers", temperature=0),
            write(draw, "ended", WIDE, (2, 2), 6, "2 texts, and both go past <end>", ends=True,
                  temperature=0),
            draw_many(draw, "draws", TINY, 3, "1000 draws after each of 2 prompts"),
            draw_many(draw, "warm draws", TINY, 2, "the same with a temperature of 1.5, top_k of 3",
                      temperature=1.5, top_k=3),
        ],
    }  # fmt: skip


def predict(draw, name, sizes, shape, says="", start=None, probe="predict"):
    inputs = {"ids": draw.integers(0, sizes["vocab_size"], *shape), **sizes}
    if start is not None:
        inputs["start"] = start
    control = "start-ignored" if start else ""
    return Case(name, probe, inputs, says=says, control=control)


def predict_on(draw, name, sizes, shape, pieces, says=""):
    inputs = {"ids": draw.integers(0, sizes["vocab_size"], *shape), "pieces": pieces, **sizes}
    return Case(name, "predict_on", inputs, says=says, control="reads-from-position-0")


def in_training(draw, name, sizes, shape, says=""):
    inputs = {"ids": draw.integers(0, sizes["vocab_size"], *shape), **sizes}
    return Case(name, "predict_in_training", inputs, says=says)


def elsewhere(draw, name, sizes, shape, says=""):
    inputs = {"ids": draw.integers(0, sizes["vocab_size"], *shape), **sizes}
    return Case(name, "predict_elsewhere", inputs, says=says, control="mask-on-the-cpu")


def other_future(draw, name, sizes, shape, first, says=""):
    """From position `first` on every token is another one."""
    ids = draw.integers(0, sizes["vocab_size"], *shape)
    other = ids.clone()
    other[:, first:] = (ids[:, first:] + 1) % sizes["vocab_size"]
    rules = {"before": Rule("finite"), "after": Rule("same", other="before")}
    inputs = {"ids": ids, "other": other, "first": first, **sizes}
    return Case(name, "predict_twice", inputs, rules, says=says, control="sees-the-future")


def backward(draw, name, sizes, shape, says=""):
    """No token is padding; the first and the last of the others are there."""
    real = [token for token in range(sizes["vocab_size"]) if token != sizes.get("pad_id", 0)]
    ids = torch.tensor(real)[draw.integers(0, len(real), *shape)]
    ids[0, 0], ids[1, 0] = real[0], real[-1]
    return Case(name, "predict_backward", {"ids": ids, **sizes}, says=says)


def compare(draw, name, shape, pad_id, padded, says=""):
    """All tokens but padding occur alike; padding stands where `padded` says."""
    pad = pad_id or 0
    ids = draw.integers(0, shape[-1] - 1, *shape[:-1])
    ids = ids + (ids >= pad).long()
    for place in padded:
        ids[place] = pad
    inputs = {"logits": draw.normal(*shape), "ids": ids}
    if pad_id is not None:
        inputs["pad_id"] = pad_id
    control = "padding-counted" if padded else "what-was-read"
    return Case(name, "compare", inputs, says=says, control=control)


def soften(draw, name, shape, says="", apart=0.0, **options):
    """Logits far enough apart that none ties with another; each row is `apart` above the last."""
    order = draw.normal(*shape).argsort(dim=-1)
    logits = 0.6 * order + draw.normal(*shape).clamp(-2, 2) / 10 - 1.0
    if apart:
        logits = logits + apart * torch.arange(shape[0]).unsqueeze(1)
    return Case(name, "soften", {"logits": logits, **options}, says=says)


def write(draw, name, sizes, shape, max_new_tokens, says="", training=False, ends=False, **options):
    """With `ends`, all texts have an `<end>` at the same place, before the last new token."""
    while True:
        ids, seed = draw.integers(0, sizes["vocab_size"], *shape), draw.pick(*range(1000))
        if not ends:
            break
        model = Opinionated(seed, **sizes).eval()
        written = transformer.generate(model, ids, max_new_tokens, **options)
        if (written[:, shape[1] : -1] == END).all(dim=0).any():
            break
    inputs = {
        "ids": ids,
        "max_new_tokens": max_new_tokens,
        "seed": seed,
        "training": training,
        "options": options,
        **sizes,
    }
    enough = shape[0] * (shape[1] + max_new_tokens - 1) if max_new_tokens else 0
    rules = {"positions read": Rule("between", low=0, high=enough)}
    return Case(name, "write", inputs, rules, says=says)


def draw_many(draw, name, sizes, length, says="", rows=1000, count=2, **options):
    """Shares are judged within 5 standard deviations of the model's own probabilities."""
    sizes = sizes | {"scale": 1.0}
    prompts = draw.integers(0, sizes["vocab_size"], count, length)
    prompts[1, -1] = (prompts[0, -1] + 1) % sizes["vocab_size"]
    seed = draw.pick(*range(1000))
    rules = {}
    for prompt, ids in enumerate(prompts):
        first, second = chances(Opinionated(seed, **sizes).eval(), ids, **options)
        for nth, of_tokens in (("first", first), ("second", second)):
            for token, chance in enumerate(of_tokens.tolist()):
                off = 5 * (chance * (1 - chance) / rows) ** 0.5 + 1e-9
                where = f"token {token} as {nth} new one after prompt {prompt}"
                # Rounded, since the last digits of a chance depend on the processor.
                low, high = round(chance - off, 4), round(chance + off, 4)
                rules[f"share {where}"] = Rule("between", low=low, high=high)
    inputs = {"prompts": prompts, "rows": rows, "seed": seed, "options": options, **sizes}
    return Case(name, "draw_many", inputs, rules, says=says)


def chances(model, ids, temperature=1.0, top_k=None):
    """The probabilities of the first new token and of the second, (V,) each."""
    size = model.scores.out_features

    def of_the_next(texts):
        logits = model(texts)[:, -1]
        least = logits.topk(top_k or size).values[:, -1:]
        return (logits / temperature).masked_fill(logits < least, float("-inf")).softmax(dim=-1)

    with torch.no_grad():
        first = of_the_next(ids.unsqueeze(0))[0]
        grown = torch.cat([ids.expand(size, -1), torch.arange(size).unsqueeze(1)], dim=1)
        return first, first @ of_the_next(grown)
