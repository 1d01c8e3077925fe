"""The cases of the checks in the notebook of lesson 04. Inputs and results go to students."""

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "PositionwiseFeedForward": [
            parameters("parameters", 4, 10, "the names and shapes of the parameters"),
            fed(draw, "plain", (2, 3, 4), 6, "2 sentences, 3 words, 4 features, d_ff = 6"),
            fed(draw, "narrow", (1, 4, 5), 3, "d_ff smaller than d_model"),
            fed(draw, "square", (1, 2, 3), 3, "d_ff equal to d_model"),
            fed(draw, "one word", (3, 1, 4), 5, "sentences of one word"),
            alone(draw, "alone", (2, 5, 4), 7, 2, "a word alone and among others"),
            fed(draw, "train mode", (2, 3, 4), 6, training=True, dropout=1.0,
                says="in train mode, with a dropout that removes everything"),
            fed(draw, "eval mode", (2, 3, 4), 6, training=False, dropout=1.0,
                says="in eval mode, where the same dropout does nothing"),
            some_dropped(draw, "dropout of 0.5", 4, "a dropout of 0.5", 0.5),
            some_dropped(draw, "usual dropout", 3, "no dropout given: it is 0.1"),
            gradient(draw, "gradients", (2, 3, 4), 6, "the gradients"),
            fed(draw, "float64", (2, 3, 5), 4, "float64").in_float64(),
        ],
        "bug_hunt_1": [
            gated(draw, "plain", (2, 3, 4), 5, "2 sentences, 3 words, 4 features, d_ff = 5"),
            gated(draw, "one word", (2, 1, 3), 4, "sentences of one word"),
        ],
    }  # fmt: skip


def fed(draw, name, shape, d_ff, says="", **mode):
    """Dropout with p = 1 removes all it gets in train mode and nothing in eval mode."""
    inputs = {"x": 1.5 * draw.normal(*shape), "d_ff": d_ff, **mode}
    control = ""
    if mode:
        control = "dropout-missing" if mode["training"] else "dropout-in-eval"
    return Case(name, "feed", inputs, says=says, control=control)


def some_dropped(draw, name, d_model, says="", dropout=None):
    inputs = {"hidden": 8 + draw.normal(d_model).abs()}
    if dropout is not None:
        inputs["dropout"] = dropout
    return Case(name, "drop_some", inputs, says=says)


def alone(draw, name, shape, d_ff, position, says=""):
    """No position knows what stands at the others."""
    inputs = {"x": 1.5 * draw.normal(*shape), "d_ff": d_ff, "position": position}
    return Case(
        name,
        "feed_alone",
        inputs,
        rules={"alone": Rule("same", other="together")},
        says=says,
        control="softmax-over-positions",
    )


def gradient(draw, name, shape, d_ff, says=""):
    inputs = {"x": 1.5 * draw.normal(*shape), "d_ff": d_ff}
    return Case(name, "feed_backward", inputs, says=says, control="w_1-detached")


def parameters(name, d_model, d_ff, says=""):
    inputs = {"d_model": d_model, "d_ff": d_ff}
    return Case(name, "list_parameters", inputs, says=says, control="w_2-without-bias")


def gated(draw, name, shape, d_ff, says=""):
    inputs = {
        "x": draw.normal(*shape),
        "w_gate": draw.normal(shape[-1], d_ff),
        "w_up": draw.normal(shape[-1], d_ff),
        "w_down": draw.normal(d_ff, shape[-1]),
    }
    return Case(name, "gated", inputs, says=says)
