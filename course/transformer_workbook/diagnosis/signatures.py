"""How a wrong result relates to the right one: a multiple, inverted, shifted by one place.

Such a signature needs no list of mistakes. It is told if all cases that fail in the same way show
it.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from ..shared.language import _
from .case_results import CaseResult, most_telling
from .compare import Finding, Pair
from .evidence_sketches import ATOL, RTOL

# By signature, the most exact one first. A signature is a name and what its sentence names.
SENTENCES = {
    "is input": _("{result} is `{name}` itself, unchanged."),
    "plus input": _("{result} is the right one plus `{name}`."),
    "minus input": _("{result} is the right one minus `{name}`."),
    "nothing": _("{result} is 0 everywhere."),
    "all True": _("{mask} is True everywhere: it hides nothing."),
    "all False": _("{mask} is False everywhere: it hides everything."),
    "turned": _("True and False are swapped."),
    "negated": _("All signs are flipped."),
    "transposed": _("The numbers are right, but axes {axis} and {other} are swapped."),
    "only diagonal": _("Only the diagonal is wrong: each position and itself."),
    "flipped": _("The numbers are right, but in reverse order along axis {axis}."),
    "further": _("Along axis {axis}, each entry but the first belongs one place before it."),
    "earlier": _("Along axis {axis}, each entry but the last belongs one place after it."),
    "first for all": _("Each entry of the batch gets the result of the first one."),
    "factor": _("Every number is {factor} times what is expected."),
    "some factor": _(
        "Every number is the right one times the same factor, a different one in each case."
    ),
    "times": _("That is {factor} times what is expected."),
    "part": _("That is what is expected, divided by {factor}."),
    "offset": _("Every number is too large or too small by the same amount."),
    "logarithm": _("{result} is the logarithm of what is expected."),
    "exponential": _("{result} is the exponential of what is expected."),
    "root": _("{result} is the square root of what is expected."),
    "square": _("{result} is the square of what is expected."),
    "negative lost": _("Negative numbers became 0, and all others are right."),
    "negative kept": _("Negative numbers were kept where 0 is expected, and all others are right."),
    "sums along": _("The numbers sum to 1 along axis {axis}; they should along axis {other}."),
    "row factors": _("Each row is right up to a factor of its own."),
    "no sum": _("The rows do not sum to 1; those that are expected do."),
    "rows alike": _("All positions have the same result; each should have its own."),
    "other order": _("The right numbers are all there, but in different places."),
    "shows more": _("{mask} shows what it should hide, and hides nothing that it should show."),
    "hides more": _("{mask} hides what it should show, and shows nothing that it should hide."),
    "only last": _("Only the last entry along axis {axis} is wrong; all others are right."),
    "only first": _("Only the first entry along axis {axis} is wrong; all others are right."),
    "first right": _("Only the first entry along axis 0 is right; all others are wrong."),
    "kept for dropped": _("As large a share is dropped as should be kept."),
    "zeros": _("Where a number is wrong, it is 0."),
    "rounded": _("The numbers are right to about {digits} digits."),
    "squeezed": _("The numbers are right, but axes of length 1 are missing."),
    "unsqueezed": _("The numbers are right, but there are axes of length 1 too many."),
    "repeated": _(
        "Along axis {axis} there is the same entry {count} times; it belongs there once."
    ),
    "one too many": _("There is one entry too many along axis {axis}, at its end."),
    "one too many first": _("There is one entry too many along axis {axis}, at its beginning."),
    "one missing": _("The last entry along axis {axis} is missing."),
    "one missing first": _("The first entry along axis {axis} is missing."),
    "other shape": _(
        "The numbers are all there, in a different shape, or with the axes in a different order."
    ),
}  # fmt: skip
HALF = 0.5
_NUMERIC_FINDINGS = ("differs", "not_finite", "value")
Signature = tuple[str, tuple[tuple[str, str], ...]]
Signatures = Iterator[Signature]
Inputs = Mapping[str, Any]


def signature(results: Mapping[str, CaseResult], inputs: Mapping[str, Inputs]) -> str:
    """A sentence on what the most telling case shares with all that failed in the same way.

    Empty if they share nothing. `inputs` are those of each case, by its name.
    """
    failing = {case: result.findings[0] for case, result in results.items() if result.findings}
    case = most_telling(results)
    if case not in failing:
        return ""
    first = failing[case]
    shown = set(_signatures(first, inputs.get(case, {})))
    for other, finding in failing.items():
        is_like_it = (finding.name, finding.kind) == (first.name, first.kind)
        if shown and is_like_it and not may_be_anything(finding.pair):
            shown &= set(_signatures(finding, inputs.get(other, {})))
    names = list(SENTENCES)
    best = min(shown, key=lambda one: names.index(one[0]), default=None)
    return _sentence(best, result=_("The result"), mask=_("The mask")) if best else ""


def relation(finding: Finding, inputs: Inputs) -> str:
    """A sentence on how a wrong value relates to the right one, with the finding's name for it.

    Empty if no relation is known. `inputs` are those of the case.
    """
    names = list(SENTENCES)
    signatures = sorted(_signatures(finding, inputs), key=lambda one: names.index(one[0]))
    signatures = [
        signature for signature in signatures if signature[0] not in ("some factor", "rounded")
    ]
    return _sentence(signatures[0], result=finding.name, mask=finding.name) if signatures else ""


def _sentence(signature: Signature, **subject: str) -> str:
    name, details = signature
    return SENTENCES[name].format(**subject, **dict(details))


def _signatures(finding: Finding, inputs: Inputs) -> Signatures:
    if "share" in finding.name:
        yield from _share_relations(finding)
    elif finding.kind == "number":
        yield from _number_relations(finding)
    pair = finding.pair
    if pair is not None and _are_numbers(pair.actual) and _are_numbers(pair.expected):
        pair = _as_tensors(pair)
    if pair is None or pair.other or may_be_anything(pair):
        return
    if not isinstance(pair.actual, Tensor) or not isinstance(pair.expected, Tensor):
        return
    actual, expected = pair.actual.detach(), pair.expected.detach()
    if not actual.numel() or not expected.numel():
        return
    if finding.kind == "shape":
        yield from _shape_relations(actual, expected)
    elif finding.kind in _NUMERIC_FINDINGS and bool(torch.isfinite(actual.double()).all()):
        if _same(actual, expected):  # the case asks for more digits than are compared here
            yield from _rounding(actual, expected)
            return
        for find in (_moved, _places, *_KINDS[actual.dtype == torch.bool]):
            yield from find(actual, expected, pair, inputs)


def may_be_anything(pair: Pair | None) -> bool:
    """Whether some entries are not judged: they would hide what the others have in common."""
    return pair is not None and pair.judged is not None and not bool(pair.judged.all())


def _are_numbers(values: object) -> bool:
    kinds = {type(value) for value in values} if isinstance(values, list) else set()
    return len(kinds) == 1 and kinds <= {int, float}


def _as_tensors(pair: Pair) -> Pair | None:
    """Two lists of numbers as tensors; None where they are unlike, or a number is too large."""
    try:
        actual, expected = torch.tensor(pair.actual), torch.tensor(pair.expected)
    except (RuntimeError, OverflowError, ValueError):
        return None
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return None
    off = ~torch.isclose(actual.double(), expected.double(), rtol=RTOL, atol=ATOL)
    return Pair(actual, expected, off)


def _is(name: str, /, **details: object) -> Signature:
    return name, tuple((key, str(value)) for key, value in details.items())


def _same(one: Tensor, other: Tensor) -> bool:
    if one.shape != other.shape:
        return False
    if not one.is_floating_point() and not other.is_floating_point():
        return torch.equal(one, other)
    return torch.allclose(one.double(), other.double(), rtol=RTOL, atol=ATOL)


def _moved(actual: Tensor, expected: Tensor, pair: Pair, inputs: Inputs) -> Signatures:
    """The right entries in other places."""
    if actual.dtype == torch.bool and expected.numel() < 9:
        return  # so few are alike by chance
    dims = range(expected.dim())
    for axis, other in combinations(dims, 2):
        if _same(actual, expected.transpose(axis, other)):
            yield _is("transposed", axis=axis, other=other)
    for axis in dims:
        size = expected.size(axis)
        if size > 1 and _same(actual, expected.flip(axis)):
            yield _is("flipped", axis=axis)
        if size > 2:
            head, tail = slice(0, size - 1), slice(1, size)
            at = (slice(None),) * axis
            if _same(actual[(*at, tail)], expected[(*at, head)]):
                yield _is("further", axis=axis)
            if _same(actual[(*at, head)], expected[(*at, tail)]):
                yield _is("earlier", axis=axis)
    is_batch = expected.dim() > 1 and expected.size(0) > 1
    if is_batch and _same(actual, expected[:1].expand_as(expected)):
        yield _is("first for all")
    if actual.dtype != torch.bool and _are_moved(actual, expected):
        yield _is("other order")


def _are_moved(actual: Tensor, expected: Tensor) -> bool:
    """Whether the entries of two tensors are the same, in whatever places."""
    if actual.numel() != expected.numel() or actual.numel() < 4:
        return False
    return _same(actual.flatten().sort().values, expected.flatten().sort().values)


def _places(actual: Tensor, expected: Tensor, pair: Pair, inputs: Inputs) -> Signatures:
    """Where the wrong entries lie."""
    wrong = pair.wrong
    if wrong is None or wrong.shape != expected.shape or wrong.all():
        return
    for axis in range(wrong.dim()):
        size = wrong.size(axis)
        if size < 2:
            continue
        others = tuple(dim for dim in range(wrong.dim()) if dim != axis)
        by_place = wrong.any(dim=others) if others else wrong
        places = by_place.nonzero().flatten().tolist()
        for name, place in ("only last", size - 1), ("only first", 0):
            # A single number of many says nothing of its place.
            if places == [place] and wrong.select(axis, place).double().mean() >= HALF:
                yield _is(name, axis=axis)
        if axis == 0 and size > 1 and wrong.dim() > 1 and places == list(range(1, size)):
            yield _is("first right")
    square = wrong.dim() > 1 and wrong.size(-1) == wrong.size(-2) > 1
    if square and not (wrong & ~torch.eye(wrong.size(-1), dtype=torch.bool)).any():
        yield _is("only diagonal")


def _float_relations(actual: Tensor, expected: Tensor, pair: Pair, inputs: Inputs) -> Signatures:
    """The right numbers, changed."""
    if not actual.is_floating_point():
        return
    actual, expected = actual.double(), expected.double()
    if not actual.any():
        yield _is("nothing")
        return
    for name, value in inputs.items():
        if isinstance(value, Tensor) and value.shape == expected.shape:
            value = value.detach().double()
            if not value.any():
                continue
            relations = {
                "is input": (actual, value),
                "plus input": (actual, expected + value),
                "minus input": (actual, expected - value),
            }
            yield from (_is(kind, name=name) for kind, two in relations.items() if _same(*two))
    if expected.numel() > 2:
        yield from _factors(actual, expected)
    if len(expected.unique()) > 2:  # so few are alike by chance
        changed: dict[str, Callable[[Tensor], Tensor]] = {
            "logarithm": torch.log,
            "exponential": torch.exp,
            "root": torch.sqrt,
            "square": torch.square,
            "negative lost": torch.relu,
        }
        yield from (
            _is(kind) for kind, change in changed.items() if _same(actual, change(expected))
        )
        if _same(torch.relu(actual), expected):
            yield _is("negative kept")
    wrong = pair.wrong
    if wrong is not None and wrong.shape == actual.shape and not actual[wrong].any():
        yield _is("zeros")
    yield from _rounding(actual, expected)
    if _rows_equal(actual) and not _rows_equal(expected):
        yield _is("rows alike")
    yield from _sums(actual, expected)


def _rounding(actual: Tensor, expected: Tensor) -> Signatures:
    """To how many digits the numbers are right, if to some and not to all."""
    error = (actual.double() - expected.double()).abs().max().item()
    size = expected.double().abs().max().item()
    if 0 < error <= 5e-4 * size:
        digits = 3 if error > 5e-5 * size else 4 if error > 5e-6 * size else 5
        yield _is("rounded", digits=digits)


def _rows_equal(rows: Tensor) -> bool:
    """Whether all rows are the same, and there are enough of them not to be so by chance."""
    return rows.dim() > 1 and rows.size(-2) > 2 and _same(rows, rows[..., :1, :].expand_as(rows))


def _factors(actual: Tensor, expected: Tensor) -> Signatures:
    if _same(actual, -expected):
        yield _is("negated")
        return
    counts = expected.abs() > 1e-3 * expected.abs().max()
    ratios = (actual / expected)[counts]
    if counts.sum() > 1 and _same(actual, expected * ratios[0]):
        yield _is("factor", factor=f"{ratios[0].item():.4g}")
        yield _is("some factor")
        return
    offset = actual - expected
    if _same(offset, offset.flatten()[0].expand_as(offset)):
        yield _is("offset")
        return
    if expected.dim() > 1 and expected.size(-1) > 2:
        largest = expected.abs().argmax(-1, keepdim=True)
        factors = actual.gather(-1, largest) / expected.gather(-1, largest)
        if torch.isfinite(factors).all() and _same(actual, expected * factors):
            yield _is("row factors")


def _sums(actual: Tensor, expected: Tensor) -> Signatures:
    """Of a softmax, along which axis the entries sum to 1."""

    def sums_to_1(tensor: Tensor, dim: int) -> Tensor:
        sums = tensor.sum(dim)
        return torch.isclose(sums, torch.ones_like(sums), rtol=RTOL, atol=ATOL)

    def axes(tensor: Tensor) -> list[int]:
        if (tensor < 0).any():
            return []
        longer = [dim for dim in range(tensor.dim()) if tensor.size(dim) > 1]
        return [dim for dim in longer if sums_to_1(tensor, dim).all()]

    should, does = axes(expected), axes(actual)
    if should and does and not set(should) & set(does):
        yield _is("sums along", axis=does[0], other=should[-1])
    elif should and expected.dim() - 1 in should and not sums_to_1(actual, -1).any():
        yield _is("no sum")


def _mask_relations(actual: Tensor, expected: Tensor, pair: Pair, inputs: Inputs) -> Signatures:
    if torch.equal(actual, ~expected):
        yield _is("turned")
    if actual.all() or not actual.any():
        yield _is("all True" if actual.all() else "all False")
    elif not (expected & ~actual).any():
        yield _is("shows more")
    elif not (actual & ~expected).any():
        yield _is("hides more")


def _shape_relations(actual: Tensor, expected: Tensor) -> Signatures:
    """The right entries in another shape."""
    if actual.dim() != expected.dim() and _same(actual.squeeze(), expected.squeeze()):
        yield _is("squeezed" if actual.dim() < expected.dim() else "unsqueezed")
    if actual.dim() == expected.dim():
        for axis, other in combinations(range(actual.dim()), 2):
            if _same(actual, expected.transpose(axis, other)):
                yield _is("transposed", axis=axis, other=other)
        for axis in range(actual.dim()):
            count = actual.size(axis)
            if expected.size(axis) == 1 < count and _same(
                actual, expected.repeat_interleave(count, axis)
            ):
                yield _is("repeated", axis=axis, count=count)
            yield from _longer(actual, expected, axis, "one too many")
            yield from _longer(expected, actual, axis, "one missing")
    if actual.dtype == expected.dtype and _are_moved(actual, expected):
        yield _is("other shape")


def _longer(long: Tensor, short: Tensor, axis: int, name: str) -> Signatures:
    size = short.size(axis)
    if long.size(axis) != size + 1 or not size:
        return
    if _same(long.narrow(axis, 0, size), short):
        yield _is(name, axis=axis)
    elif _same(long.narrow(axis, 1, size), short):
        yield _is(f"{name} first", axis=axis)


def _share_relations(finding: Finding) -> Signatures:
    """How the share that was dropped relates to the expected one, or to its bounds."""
    bounds = ("expected", "expected") if finding.kind == "number" else ("low", "high")
    try:
        low, high, actual = (float(finding.details[key]) for key in (*bounds, "actual"))
    except (KeyError, ValueError):
        return
    if low + high < 0.99 and low - 0.01 <= 1 - actual <= high + 0.01:
        yield _is("kept for dropped")


def _number_relations(finding: Finding) -> Signatures:
    """How one number relates to the expected one."""
    try:
        actual, expected = (float(finding.details[key]) for key in ("actual", "expected"))
    except ValueError:
        return
    pair = torch.tensor([actual]).double(), torch.tensor([expected]).double()
    changed = {
        "negated": torch.neg,
        "logarithm": torch.log,
        "exponential": torch.exp,
    }
    yield from (
        _is(kind)
        for kind, change in changed.items()
        if torch.allclose(pair[0], change(pair[1]), rtol=1e-4)
    )
    for name, ratio in (
        (("times", actual / expected), ("part", expected / actual)) if actual * expected else ()
    ):
        if 1.5 < ratio < 100 and abs(ratio - round(ratio)) < 1e-3:
            yield _is(name, factor=round(ratio))


_KINDS = {True: (_mask_relations,), False: (_float_relations,)}
