"""The cases of the checks in the notebook of lesson 02. Inputs and results go to students."""

import torch

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "MultiHeadAttention": [
            parameters(draw, "parameters", 12, 3, "the four projections, their names and shapes"),
            cross(draw, "cross-attention", 12, 3, (2, 4, 5), "4 queries, 5 keys, 3 heads"),
            cross(draw, "one head", 4, 1, (2, 3, 3), "one head alone, as many queries as keys"),
            cross(draw, "one feature a head", 3, 3, (2, 4, 5), "as many heads as features"),
            masked(draw, "one query", 6, 2, (2, 1, 4), (2, 1, 1, 4), "one query, a padding mask"),
            one_key(draw, "one key", 6, 3, (2, 3, 1), "one key, and scores of a thousand"),
            itself(draw, "self-attention", 6, 2, (2, 3), "a sentence that looks at itself"),
            itself(draw, "as many words as heads", 6, 3, (2, 3), "as many words as heads"),
            twice(draw, "twice", 6, 3, (2, 5), (1, 4), "two calls: the last weights stay"),
            masked(draw, "padding", 8, 4, (2, 3, 5), (2, 1, 1, 5), "a padding mask"),
            masked(draw, "by head", 6, 2, (2, 3, 5), (2, 2, 3, 5), "a mask for each head"),
            masked(draw, "heads alone", 4, 2, (2, 3, 4), (2, 3, 4), "a mask of H by T_q by T_k"),
            masked(draw, "matrix", 6, 3, (2, 4, 5), (4, 5), "one mask for all: T_q by T_k"),
            other_hidden(draw, "other padding", 6, 2, (2, 3, 5), "hidden words that change"),
            another_end(draw, "causal", 6, 2, (1, 4), "a causal mask: the future stays hidden"),
            blind_row(draw, "blind row", 6, 3, (2, 3, 4), "one query sees no key at all"),
            dropping(draw, "dropout", 6, 3, (2, 4, 5), "dropout of 1: no weight is left"),
            some_dropped(draw, "dropout of 0.5", 6, 3, "dropout drops weights, not features", 0.5),
            some_dropped(draw, "usual dropout", 4, 2, "no dropout given: it is 0.1"),
            backward(draw, "gradients", 6, 3, (2, 4, 5), "gradients of inputs and parameters"),
            cross(draw, "float64", 6, 2, (2, 3, 5), "float64").in_float64(),
            refused(draw, "refused", 10, 3, "10 features for 3 heads: a ValueError; 12 for 3 run"),
            refused(draw, "more heads than features", 3, 6, "more heads than features"),
        ],
        "bug_hunt_1": [
            distance(draw, "short", (1, 2, 4), [3], "a sentence of 3 words, padded to 4"),
            distance(draw, "padded", (2, 3, 5), [3, 5], "2 sentences, of 3 words and of 5"),
        ],
    }  # fmt: skip


def parameters(draw, name, d_model, num_heads, says=""):
    inputs = sizes(d_model, num_heads) | {"x": draw.normal(1, 2, d_model)}
    return Case(name, "list_parameters", inputs, says=says)


def refused(draw, name, d_model, num_heads, says=""):
    inputs = sizes(d_model, num_heads) | {"x": draw.normal(1, 2, d_model)}
    return Case(name, "refuse", inputs, says=says)


def cross(draw, name, d_model, num_heads, lengths, says=""):
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    return Case(name, "attend", inputs, says=says)


def one_key(draw, name, d_model, num_heads, lengths, says=""):
    """The only key has a weight of 1, however large its score is, in either direction."""
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    inputs["query"], inputs["key"] = 64 * inputs["query"], 64 * inputs["key"]
    return Case(name, "attend", inputs, says=says)


def itself(draw, name, d_model, num_heads, lengths, says=""):
    inputs = sizes(d_model, num_heads) | {"x": draw.normal(*lengths, d_model)}
    return Case(name, "attend_to_itself", inputs, says=says)


def masked(draw, name, d_model, num_heads, lengths, mask_shape, says=""):
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    inputs["mask"] = draw.mask(*mask_shape)
    return Case(name, "attend", inputs, says=says, control="mask-not-passed")


def other_hidden(draw, name, d_model, num_heads, lengths, says=""):
    """What a padding mask hides may hold anything: the output stays the same."""
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    batch, _, t_k = lengths
    seen = draw.mask(batch, t_k)[:, :, None]
    for part in ("key", "value"):
        other = draw.normal(batch, t_k, d_model)
        inputs[f"other_{part}"] = torch.where(seen, inputs[part], other)
    inputs["mask"] = seen.reshape(batch, 1, 1, t_k)
    rules = {
        "output": Rule("finite"),
        "output with other hidden keys": Rule("same", other="output"),
    }
    return Case(name, "change_the_hidden", inputs, rules, says=says, control="mask-not-passed")


def another_end(draw, name, d_model, num_heads, lengths, says=""):
    """Under a causal mask no word before the last can tell which word that is."""
    x, other = draw.normal(*lengths, d_model), draw.normal(*lengths, d_model)
    other[:, :-1] = x[:, :-1]
    mask = torch.ones(lengths[1], lengths[1], dtype=torch.bool).tril()[None, None]
    inputs = sizes(d_model, num_heads) | {"x": x, "other": other, "mask": mask}
    rules = {
        "output before the last word": Rule("finite"),
        "output with another last word": Rule("same", other="output before the last word"),
    }
    return Case(name, "change_the_end", inputs, rules, says=says, control="view-alone")


def blind_row(draw, name, d_model, num_heads, lengths, says=""):
    """A query that sees no key: its row need only stay finite, all others are compared."""
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    batch, t_q, t_k = lengths
    mask = draw.mask(batch, 1, t_q, t_k)
    mask[1, 0, 0] = False
    seeing = mask.any(dim=-1, keepdim=True)
    return Case(
        name,
        "attend",
        inputs | {"mask": mask},
        rules={"output": Rule(where="rows"), "weights": Rule(where="seeing")},
        masks={"rows": seeing[:, 0], "seeing": seeing},
        says=says,
    )


def backward(draw, name, d_model, num_heads, lengths, says=""):
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    batch, t_q, t_k = lengths
    inputs["mask"] = draw.mask(batch, 1, t_q, t_k)
    return Case(name, "attend_backward", inputs, says=says)


def dropping(draw, name, d_model, num_heads, lengths, says=""):
    inputs = sizes(d_model, num_heads) | three(draw, d_model, *lengths)
    return Case(name, "drop_everything", inputs, says=says)


def some_dropped(draw, name, d_model, num_heads, says="", dropout=None):
    inputs = sizes(d_model, num_heads) | {"x": draw.normal(1, 3, d_model)}
    if dropout is not None:
        inputs["dropout"] = dropout
    return Case(name, "drop_some", inputs, says=says)


def twice(draw, name, d_model, num_heads, first, second, says=""):
    """The weights that stay are those of the last call."""
    inputs = {"first": draw.normal(*first, d_model), "second": draw.normal(*second, d_model)}
    return Case(name, "attend_twice", sizes(d_model, num_heads) | inputs, says=says)


def distance(draw, name, shape, lengths, says=""):
    """Weights (N, H, T, T) whose rows sum to 1, for sentences of these lengths."""
    batch, heads, length = shape
    rows = draw.integers(1, 9, batch, heads, length, length)
    real = torch.arange(length)[None, :] < torch.tensor(lengths)[:, None]
    inputs = {"weights": rows / rows.sum(dim=-1, keepdim=True), "real": real}
    return Case(name, "measure_distance", inputs, says=says)


def sizes(d_model, num_heads):
    return {"d_model": d_model, "num_heads": num_heads}


def three(draw, d_model, batch, t_q, t_k):
    return {
        "query": draw.normal(batch, t_q, d_model),
        "key": draw.normal(batch, t_k, d_model),
        "value": draw.normal(batch, t_k, d_model),
    }
