"""The files that are handed in with the translation notebook: weights, vocabulary, sizes.

The grader loads these weights into its own model and translates with it. So the parameters must
have the names and shapes of the stand-ins' parameters.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import torch

from ...shared.language import _, say

WEIGHTS, VOCABULARY, SETTINGS = "weights.safetensors", "vocabulary.json", "settings.json"
LARGEST = {WEIGHTS: 64 << 20, VOCABULARY: 2 << 20, SETTINGS: 64 << 10}  # bytes
DTYPE = torch.float16  # docs/translation.md measures the effect on BLEU

BOUNDS = {
    "num_layers": (1, 24),
    "d_model": (1, 2048),
    "num_heads": (1, 64),
    "d_ff": (1, 8192),
    "max_len": (1, 5000),
}
POSITIONS = ("sinusoidal", "learned")
_WRAPPERS = ("_orig_mod.", "module.")  # name prefixes of torch.compile and DDP
_LISTED = 8  # differences that a message lists
_TOLERANCE = 0.05  # of a probability; float16 alone causes less than a tenth of that

Layout = dict[str, tuple[int, ...]]


class BadHandIn(ValueError):
    """The files, or a model to be handed in, cannot be graded; the message says why."""


def hand_in(
    trained: Any,
    folder: str | os.PathLike = ".",
    *,
    rename: Mapping[str, str] | None = None,
    sizes: dict | None = None,
) -> None:
    """Write the three files to hand in with the notebook into `folder`, and print their names.

    `trained` is what `train` returned, or its translator. `rename` maps prefixes of your
    parameters' names to those expected. `sizes`, keyword arguments of make_model, are read off the
    model by default. On Colab, `wb.finish(download=True)` has the browser download the files.
    Raises BadHandIn, and writes nothing, if the grader could not load the model.
    """
    # Imported here: the grader reads what was handed in with this module, and writes nothing.
    from ...trainer.checkpoints import write_tensors
    from .corpus import why_hopeless

    translator = getattr(trained, "translator", trained)
    model, subwords, folder = translator.model, translator.subwords, Path(folder)
    parameters = _renamed(model, rename or {})
    sizes = checked_sizes(sizes_of(model, parameters) if sizes is None else sizes)
    expected = layout(_make_model(), len(subwords), sizes)
    weights = {name: tensor.to(DTYPE) for name, tensor in _fitting(parameters, expected).items()}
    require_finite(weights)

    files = [
        write_tensors(folder / WEIGHTS, weights),
        subwords.save(folder / VOCABULARY),
        folder / SETTINGS,
    ]
    files[-1].write_text(json.dumps(sizes, indent=1) + "\n", encoding="utf-8")
    _list_files(files)
    difference = _difference(model, weights, len(subwords), sizes)
    if difference > _TOLERANCE:
        message = _(
            "Careful: with your weights, the grader's model predicts something different from "
            "yours (probabilities differ by up to {difference:.2f}). Its score will differ. "
            "Run the checks of your components again; if one of the sizes is wrong, give "
            "sizes=..."
        )
        say(message.format(difference=difference))
    if reason := why_hopeless(getattr(trained, "corpus", ""), getattr(trained, "pairs", 0)):
        say(_("Careful: {reason}.").format(reason=reason))
    say(
        _(
            "Hand them in with the notebook, all four in one folder, under these names. The grader "
            "translates sentences of its own with them."
        )
    )


def fingerprint(weights: Iterable[torch.Tensor], subwords) -> str:
    """12 hexadecimal digits that tell one trained model, with its vocabulary, from another.

    They are the same for the model and for its files, whatever its parameters are called.
    """
    parts = [hashlib.sha256(str(subwords.merges).encode()).hexdigest()]
    for tensor in weights:
        numbers = tensor.detach().to("cpu", DTYPE).contiguous().numpy()
        parts.append(hashlib.sha256(f"{numbers.shape}".encode() + numbers.tobytes()).hexdigest())
    return hashlib.sha256("".join(sorted(parts)).encode()).hexdigest()[:12]


def _list_files(files: list[Path]) -> None:
    """Print the files' names and sizes, and which are too large to be graded."""
    say(_("These three files are in {folder}:").format(folder=files[0].parent.resolve()))
    for path in files:
        say(_("  {name}: {size:,} kB").format(name=path.name, size=-(-path.stat().st_size // 1000)))
        if path.stat().st_size > LARGEST[path.name]:
            message = _(
                "  {name} is larger than the {limit} MB that the grader takes. Train a smaller "
                "model."
            )
            say(message.format(name=path.name, limit=LARGEST[path.name] >> 20))


def read_sizes(text: str | bytes) -> dict:
    """The sizes in a settings.json. Raises BadHandIn if they are malformed or out of bounds."""
    try:
        sizes = json.loads(text)
    except (ValueError, RecursionError):
        sizes = None
    if not isinstance(sizes, dict):
        raise BadHandIn(
            _(
                "settings.json is not what wb.hand_in writes: expected a JSON object with the "
                "model's sizes."
            )
        )
    return checked_sizes(sizes)


def checked_sizes(sizes: dict) -> dict:
    """A model's sizes with defaults filled in. Raises BadHandIn for one out of its bounds."""
    defaults = {
        "norm_first": False, "tie_weights": False, "positions": "sinusoidal", "max_len": 5000,
    }  # fmt: skip
    kept = {name: sizes.get(name, defaults.get(name)) for name in (*BOUNDS, *defaults)}
    for name, (least, most) in BOUNDS.items():
        # Not isinstance: a bool is an int, too.
        if type(kept[name]) is not int or not least <= kept[name] <= most:
            actual = repr(kept[name])[:40]
            message = _(
                "settings.json has {name} = {actual}; expected a whole number from {least} to "
                "{most}."
            )
            raise BadHandIn(message.format(name=name, actual=actual, least=least, most=most))
    for name in ("norm_first", "tie_weights"):
        if type(kept[name]) is not bool:
            message = _("settings.json has {name} = {actual}; expected true or false.")
            raise BadHandIn(message.format(name=name, actual=repr(kept[name])[:40]))
    if kept["positions"] not in POSITIONS:
        message = _('settings.json has positions = {actual}; expected "sinusoidal" or "learned".')
        raise BadHandIn(message.format(actual=repr(kept["positions"])[:40]))
    if kept["d_model"] % kept["num_heads"]:
        message = _(
            "settings.json has d_model = {d_model} and num_heads = {num_heads}; d_model has to "
            "be a multiple of num_heads."
        )
        raise BadHandIn(message.format(**kept))
    return kept


def layout(make_model: Callable, vocabulary: int, sizes: dict) -> Layout:
    """The names and shapes of such a model's parameters; a shared parameter has one name."""
    with torch.device("meta"):  # allocates no memory
        model = make_model(vocabulary, vocabulary, **sizes)
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def require_layout(actual: Layout, expected: Layout) -> None:
    """Raise BadHandIn, which lists the differences, unless all names and shapes are equal."""
    if actual == expected:
        return
    lines = [_("The parameters are not those of a model of these sizes.")]
    missing = [f"{name[:100]} {expected[name]}" for name in expected if name not in actual]
    unknown = [f"{name[:100]} {actual[name]}" for name in actual if name not in expected]
    reshaped = [
        _("{name} {actual}, expected {expected}").format(
            name=name[:100], actual=actual[name], expected=shape
        )
        for name, shape in expected.items()
        if actual.get(name, shape) != shape
    ]
    for title, entries in (
        (_("Expected but missing ({count}):"), missing),
        (_("Present but not expected ({count}):"), unknown),
        (_("With a different shape ({count}):"), reshaped),
    ):
        if entries:
            lines.append(title.format(count=len(entries)))
        lines += [f"  {entry}" for entry in entries[:_LISTED]]
        if len(entries) > _LISTED:
            lines.append(_("  and {count} more").format(count=len(entries) - _LISTED))
    raise BadHandIn("\n".join(lines))


def require_finite(weights: dict[str, torch.Tensor]) -> None:
    """Raise BadHandIn if a weight is infinite or NaN."""
    for name, tensor in weights.items():
        if not tensor.isfinite().all():
            message = _(
                "{name} holds numbers that are not finite (NaN, or too large for float16). "
                "Hand in the weights of an earlier checkpoint, or train again with a smaller "
                "rate."
            )
            raise BadHandIn(message.format(name=name[:100]))


def sizes_of(model, parameters: dict[str, torch.Tensor]) -> dict:
    """The sizes of a trained model, from its parameters' shapes. Raises BadHandIn if unclear."""
    try:
        table = parameters["src_embed.0.embedding.weight"]
        layers = {name.split(".")[2] for name in parameters if name.startswith("encoder.layers.")}
        positions = parameters.get("src_embed.1.embedding.weight")
        heads = [getattr(part, "num_heads", None) for part in model.modules()]
        return {
            "num_layers": len(layers),
            "d_model": table.size(1),
            "num_heads": next(count for count in heads if type(count) is int),
            "d_ff": parameters["encoder.layers.0.feed_forward.w_1.weight"].size(0),
            "norm_first": "encoder.norm.gamma" in parameters,
            "tie_weights": parameters["generator.proj.weight"] is table,
            "positions": POSITIONS[positions is not None],
            "max_len": 5000 if positions is None else positions.size(0),
        }
    except (KeyError, StopIteration, IndexError) as error:
        names = "\n".join(f"  {name}" for name in list(parameters)[:_LISTED])
        message = _(
            "The sizes of your model cannot be read off the names of its parameters, which "
            "begin with\n{names}\nExpected are the names of the lessons: "
            "src_embed.0.embedding.weight, encoder.layers.0.self_attn.w_q.weight, "
            "encoder.layers.0.feed_forward.w_1.weight, generator.proj.weight and so on. If "
            'yours begin differently, pass rename={{"beginning of yours": "beginning '
            'expected"}}; if no part has num_heads, give sizes=..., as you gave them to '
            "make_model."
        )
        raise BadHandIn(message.format(names=names)) from error


def _renamed(model, rename: Mapping[str, str]) -> dict[str, torch.Tensor]:
    """The model's parameters under the names expected; a shared one under all of its names."""
    renamed = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        for wrapper in _WRAPPERS:
            name = name.removeprefix(wrapper)
        for prefix in sorted(rename, key=len, reverse=True):
            if name.startswith(prefix):
                name = rename[prefix] + name.removeprefix(prefix)
                break
        renamed[name] = parameter
    return renamed


def _fitting(parameters: dict[str, torch.Tensor], expected: Layout) -> dict[str, torch.Tensor]:
    """The parameters without a shared one's further names. Raises BadHandIn unless they fit."""
    taken = {id(parameters[name]) for name in expected if name in parameters}
    kept = {
        name: parameter.detach().cpu()
        for name, parameter in parameters.items()
        if name in expected or id(parameter) not in taken
    }
    require_layout({name: tuple(tensor.shape) for name, tensor in kept.items()}, expected)
    return kept


def filled(make_model: Callable, weights: dict[str, torch.Tensor], vocabulary: int, sizes: dict):
    """A float32 model in eval mode with the given weights; raises KeyError if one is missing."""
    model = make_model(vocabulary, vocabulary, dropout=0.0, **sizes)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    return model.eval()


def _make_model() -> Callable:
    from ..full_model.standins import make_model

    return make_model


def _difference(model, weights: dict[str, torch.Tensor], vocabulary: int, sizes: dict) -> float:
    """The largest difference between the grader's and the model's own probabilities, on 3 rows."""
    from ..training.standins import at_rest

    device = next(model.parameters()).device
    generator = torch.Generator().manual_seed(0)
    length = min(9, sizes["max_len"])
    src = torch.randint(3, vocabulary, (3, length), generator=generator)
    tgt = torch.randint(3, vocabulary, (3, length), generator=generator)[:, :7]
    src[0, 6:] = tgt[0, 5:] = model.pad_id
    with at_rest(model):
        mine = model(src.to(device), tgt.to(device)).float().softmax(dim=-1).cpu()
        theirs = filled(_make_model(), weights, vocabulary, sizes)(src, tgt).softmax(dim=-1)
    return (mine - theirs).abs().max().item()
