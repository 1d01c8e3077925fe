"""The cases of the checks in the notebook of lesson 03. Inputs and results go to students."""

import torch

from autograder.authoring.cases import Case, Rule


def cases(draw):
    return {
        "LayerNorm": [
            fresh(draw, "fresh", (2, 3, 4), "a new layer"),
            normalized(draw, "filled", (3, 2, 5), "a layer with other values in gamma and beta"),
            normalized(draw, "eps", (2, 4, 3), "a large eps", eps=0.5),
            small(draw, "small", (2, 3, 4), "numbers so small that the usual eps counts"),
            constant(draw, "constant", (2, 3, 4), "a position whose features are all alike"),
            normalized(draw, "one sentence", (3, 6), "one sentence, no batch axis"),
            alone(draw, "alone", (3, 2, 4), "a sentence alone and among others"),
            gradient(draw, "gradients", (2, 3, 4), "the gradients"),
            parameters("parameters", 5, "the names and shapes of the parameters"),
        ],
        "SublayerConnection": [
            connected(draw, "post-norm", (2, 3, 4), "post-norm, in eval mode"),
            connected(draw, "pre-norm", (2, 3, 5), "pre-norm, in eval mode", norm_first=True),
            connected(draw, "post-norm, all dropped", (2, 3, 4),
                      "post-norm, in train mode, with a dropout that removes everything",
                      training=True, norm_first=False),
            connected(draw, "pre-norm, all dropped", (2, 3, 4),
                      "pre-norm, in train mode, with a dropout that removes everything",
                      training=True, norm_first=True),
            gradient_connected(draw, "post-norm, gradients", (2, 3, 4), False,
                               "the gradients, post-norm"),
            gradient_connected(draw, "pre-norm, gradients", (2, 3, 4), True,
                               "the gradients, pre-norm"),
        ],
        "bug_hunt_1": [
            root_mean_square(draw, "plain", (2, 3, 4), 1e-6, "2 sentences, 3 words, 4 features"),
            root_mean_square(draw, "eps", (1, 2, 5), 0.5, "a large eps"),
        ],
    }  # fmt: skip


def fresh(draw, name, shape, says=""):
    return Case(name, "normalize_fresh", {"x": draw.normal(*shape)}, says=says)


def normalized(draw, name, shape, says="", eps=None):
    """Far from mean 0 and variance 1, so that what is left out shows."""
    x = 2 * draw.normal(*shape) + 1
    inputs = {"x": x} if eps is None else {"x": x, "eps": eps}
    control = "" if eps is None else "eps-fixed"
    return Case(name, "normalize", inputs, says=says, control=control)


def small(draw, name, shape, says=""):
    """Standard deviations near the root of the default eps, so that its value and place count."""
    x = draw.normal(*shape) / 512
    return Case(name, "normalize", {"x": x}, says=says, control="eps-outside-root")


def constant(draw, name, shape, says=""):
    """One position has no variance at all; its result is beta, and finite."""
    x = draw.normal(*shape)
    x[1, 0] = 1.5
    return Case(name, "normalize", {"x": x}, says=says, control="eps-missing")


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


def far_apart(draw, shape):
    """Features with a large variance: the norm inside may be torch's, whose eps is another."""
    return draw.normal(*shape) + 3 * torch.arange(shape[-1])


def connected(draw, name, shape, says="", training=False, norm_first=None):
    """Dropout with p = 1 removes all it gets in train mode and nothing in eval mode."""
    inputs = {"x": far_apart(draw, shape), "dropout": 1.0, "training": training}
    if norm_first is not None:
        inputs["norm_first"] = norm_first
    return Case(name, "connect", inputs, says=says, control=_control(training, norm_first))


def _control(training, norm_first):
    if training:
        return "dropout-missing"
    return "norm-first-ignored" if norm_first else "always-pre-norm"


def gradient_connected(draw, name, shape, norm_first, says=""):
    inputs = {"x": far_apart(draw, shape), "norm_first": norm_first}
    return Case(name, "connect_backward", inputs, says=says)


def root_mean_square(draw, name, shape, eps, says=""):
    inputs = {"x": draw.normal(*shape) + 0.5, "gain": draw.normal(shape[-1]), "eps": eps}
    return Case(name, "rms", inputs, says=says)
