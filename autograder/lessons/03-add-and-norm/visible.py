"""The cases of the checks in the notebook of lesson 03. Inputs and results go to students."""

from autograder.lesson.cases import Case, Rule


def cases(draw):
    return {
        "LayerNorm": [
            fresh(draw, "fresh", (2, 3, 4), "a new layer"),
            normalized(draw, "filled", (3, 2, 5), "a layer with other values in gamma and beta"),
            normalized(draw, "eps", (2, 4, 3), "a large eps", eps=0.5),
            small(draw, "small", (2, 3, 4), "numbers so small that the usual eps counts"),
            constant(draw, "constant", (2, 3, 4), "positions whose features are all alike"),
            far(draw, "far from 0", (2, 4, 16), "features around 1,000, and one far from it"),
            normalized(draw, "one sentence", (3, 6), "one sentence, no batch axis"),
            normalized(draw, "features alone", (5,), "one position alone: no axis but features"),
            swapped(draw, "four axes", (2, 3, 2, 4), "four axes, two of them swapped"),
            normalized(draw, "one position", (2, 1, 4), "sentences of one word"),
            alone(draw, "alone", (3, 2, 4), "a sentence alone and among others"),
            gradient(draw, "gradients", (2, 3, 4), "the gradients"),
            parameters("parameters", 5, "the names and shapes of the parameters"),
            normalized(draw, "float64", (2, 4, 5), "float64").in_float64(),
        ],
        "SublayerConnection": [
            connected(draw, "post-norm", (2, 3, 4), "post-norm, in eval mode"),
            connected(draw, "pre-norm", (2, 3, 5), "pre-norm, in eval mode", norm_first=True),
            connected(draw, "post-norm, asked for", (2, 4, 3), "norm_first=False",
                      norm_first=False),
            connected(draw, "one position", (3, 1, 4), "sentences of one word", norm_first=True),
            connected(draw, "post-norm, all dropped", (2, 3, 4),
                      "post-norm, in train mode, with a dropout that removes everything",
                      training=True, norm_first=False),
            connected(draw, "pre-norm, all dropped", (2, 3, 4),
                      "pre-norm, in train mode, with a dropout that removes everything",
                      training=True, norm_first=True),
            some_dropped(draw, "dropout of 0.5", 4, "a dropout of 0.5", 0.5),
            some_dropped(draw, "usual dropout", 3, "no dropout given: it is 0.1"),
            gradient_connected(draw, "post-norm, gradients", (2, 3, 4), False,
                               "the gradients, post-norm"),
            gradient_connected(draw, "pre-norm, gradients", (2, 3, 4), True,
                               "the gradients, pre-norm"),
            connected(draw, "float64, post-norm", (2, 5, 4), "post-norm in float64",
                      norm_first=False).in_float64(),
            connected(draw, "float64, pre-norm", (2, 5, 4), "pre-norm in float64",
                      norm_first=True).in_float64(),
        ],
        "bug_hunt_1": [
            root_mean_square(draw, "plain", (2, 3, 4), 1e-6, "2 sentences, 3 words, 4 features"),
            root_mean_square(draw, "eps", (1, 2, 5), 0.5, "a large eps"),
            root_mean_square(draw, "usual eps", (2, 4, 3),
                             says="no eps given: numbers so small that the usual one counts"),
        ],
    }  # fmt: skip


def fresh(draw, name, shape, says=""):
    return Case(name, "normalize_fresh", {"x": draw.normal(*shape)}, says=says)


def normalized(draw, name, shape, says="", eps=None):
    """Far from mean 0 and variance 1, so that what is left out shows; one feature is 0."""
    x = 2 * draw.normal(*shape) + 1
    x.view(-1)[0] = 0
    inputs = {"x": x} if eps is None else {"x": x, "eps": eps}
    control = "" if eps is None else "eps-fixed"
    # Watched where eps is given: added to a weight at each call, it shows there alone.
    return Case(name, "normalize", inputs, says=says, control=control, watched=eps is not None)


def small(draw, name, shape, says=""):
    """Standard deviations near the root of the default eps, so that its value and place count."""
    x = draw.normal(*shape) / 512
    return Case(name, "normalize", {"x": x}, says=says, control="eps-outside-root")


def constant(draw, name, shape, says=""):
    """Two positions have no variance at all; their result is beta, and finite."""
    x = draw.normal(*shape)
    x[1, 0], x[0, 1] = 1.5, 0
    return Case(name, "normalize", {"x": x}, says=says, control="eps-missing")


def swapped(draw, name, shape, says=""):
    return Case(name, "normalize_swapped", {"x": 2 * draw.normal(*shape) + 1}, says=says)


def far(draw, name, shape, says=""):
    """Whole numbers around 1,000; D is 16.

    Sums of them and of their squares are exact in float32, in any order, and so is the mean. Its
    square is not: the sum of the features is 3 more than a multiple of 8. Who finds the mean step
    by step loses some digits of it, which the tolerance allows.
    """
    x = 1_000 + (1.5 * draw.normal(*shape)).round()
    x[0, 0, 0] += 56
    x[..., 1] += (3 - x.sum(dim=-1) + 4) % 8 - 4
    rules = {"output": Rule(atol=1e-3, rtol=1e-3)}
    return Case(name, "normalize", {"x": x}, rules, says)


def alone(draw, name, shape, says=""):
    """No sentence knows what else is in its batch."""
    return Case(
        name,
        "normalize_alone",
        {"x": 2 * draw.normal(*shape) + 1},
        rules={"alone": Rule("same", other="together")},
        says=says,
        control="batch-norm",
    )


def gradient(draw, name, shape, says=""):
    return Case(
        name, "normalize_backward", {"x": draw.normal(*shape)}, says=says,
        control="statistics-detached",
    )  # fmt: skip


def parameters(name, d_model, says=""):
    return Case(
        name, "list_parameters", {"d_model": d_model}, says=says, control="gamma-no-parameter"
    )


def connected(draw, name, shape, says="", training=False, norm_first=None):
    """Dropout with p = 1 removes all it gets in train mode and nothing in eval mode."""
    inputs = {"x": spread(draw, *shape), "dropout": 1.0, "training": training}
    if norm_first is not None:
        inputs["norm_first"] = norm_first
    return Case(name, "connect", inputs, says=says, control=_control(training, norm_first))


def _control(training, norm_first):
    if training:
        return "dropout-missing"
    return "norm-first-ignored" if norm_first else "always-pre-norm"


def gradient_connected(draw, name, shape, norm_first, says=""):
    inputs = {"x": spread(draw, *shape), "norm_first": norm_first}
    return Case(name, "connect_backward", inputs, says=says)


def some_dropped(draw, name, d_model, says="", dropout=None):
    inputs = {"said": 2 + draw.normal(d_model).abs()}
    if dropout is not None:
        inputs["dropout"] = dropout
    return Case(name, "drop_some", inputs, says=says)


def spread(draw, *shape):
    """Features that differ so much that the eps of the norm inside does not count."""
    x = 2 * draw.normal(*shape) + 1
    x[..., 0] = x[..., 1] + 8
    return x


def root_mean_square(draw, name, shape, eps=None, says=""):
    x, gain = draw.normal(*shape) + 0.5, draw.normal(shape[-1])
    inputs = {"x": x / 512, "gain": gain} if eps is None else {"x": x, "gain": gain, "eps": eps}
    return Case(name, "rms", inputs, says=says)
