"""How a wrong result relates to the right one: a multiple, turned, with an entry too many.

Such a signature needs no list of mistakes. It is told if all cases that fail in the same way show
it.
"""

from collections.abc import Iterator, Mapping
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
    "nothing": _("{result} is 0 everywhere."),
    "turned": _("True and False are swapped."),
    "transposed": _("The numbers are right, but axes {axis} and {other} are swapped."),
    "flipped": _("The numbers are right, but in reverse order along axis {axis}."),
    "factor": _("Every number is {factor} times what is expected."),
    "some factor": _(
        "Every number is the right one times the same factor, a different one in each case."
    ),
    "row factors": _("Each row is right up to a factor of its own."),
    "rows alike": _("All positions have the same result; each should have its own."),
    "shows more": _("{mask} shows what it should hide, and hides nothing that it should show."),
    "hides more": _("{mask} hides what it should show, and shows nothing that it should hide."),
    "other order": _("The right numbers are all there, but in different places."),
    "one too many": _("There is one entry too many along axis {axis}, at its end."),
    "one missing": _("The last entry along axis {axis} is missing."),
}
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
    best = min(shown, key=lambda each: names.index(each[0]), default=None)
    if not best:
        return ""
    name, details = best
    return SENTENCES[name].format(result=_("The result"), mask=_("The mask"), **dict(details))


def _signatures(finding: Finding, inputs: Inputs) -> Signatures:
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
            return
        yield from _moved(actual, expected)
        if actual.dtype == torch.bool:
            yield from _mask_relations(actual, expected)
        elif actual.is_floating_point():
            yield from _float_relations(actual.double(), expected.double(), inputs)


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


def _moved(actual: Tensor, expected: Tensor) -> Signatures:
    """The right entries in other places."""
    if actual.dtype == torch.bool and expected.numel() < 9:
        return  # so few are alike by chance
    dims = range(expected.dim())
    for axis, other in combinations(dims, 2):
        if _same(actual, expected.transpose(axis, other)):
            yield _is("transposed", axis=axis, other=other)
    for axis in dims:
        if expected.size(axis) > 1 and _same(actual, expected.flip(axis)):
            yield _is("flipped", axis=axis)
    if actual.dtype != torch.bool and _are_moved(actual, expected):
        yield _is("other order")


def _are_moved(actual: Tensor, expected: Tensor) -> bool:
    """Whether the entries of two tensors are the same, in whatever places."""
    if actual.numel() != expected.numel() or actual.numel() < 4:
        return False
    return _same(actual.flatten().sort().values, expected.flatten().sort().values)


def _float_relations(actual: Tensor, expected: Tensor, inputs: Inputs) -> Signatures:
    """The right numbers, changed."""
    if not actual.any():
        yield _is("nothing")
        return
    for name, value in inputs.items():
        is_like_it = isinstance(value, Tensor) and value.shape == expected.shape
        if is_like_it and value.any() and _same(actual, value.detach().double()):
            yield _is("is input", name=name)
    if expected.numel() > 2:
        yield from _factors(actual, expected)
    if _rows_equal(actual) and not _rows_equal(expected):
        yield _is("rows alike")


def _rows_equal(rows: Tensor) -> bool:
    """Whether all rows are the same, and there are enough of them not to be so by chance."""
    return rows.dim() > 1 and rows.size(-2) > 2 and _same(rows, rows[..., :1, :].expand_as(rows))


def _factors(actual: Tensor, expected: Tensor) -> Signatures:
    counts = expected.abs() > 1e-3 * expected.abs().max()
    ratios = (actual / expected)[counts]
    if counts.sum() > 1 and _same(actual, expected * ratios[0]):
        yield _is("factor", factor=f"{ratios[0].item():.4g}")
        yield _is("some factor")
        return
    if expected.dim() > 1 and expected.size(-1) > 2:
        largest = expected.abs().argmax(-1, keepdim=True)
        factors = actual.gather(-1, largest) / expected.gather(-1, largest)
        if torch.isfinite(factors).all() and _same(actual, expected * factors):
            yield _is("row factors")


def _mask_relations(actual: Tensor, expected: Tensor) -> Signatures:
    if torch.equal(actual, ~expected):
        yield _is("turned")
    elif not (expected & ~actual).any():
        yield _is("shows more")
    elif not (actual & ~expected).any():
        yield _is("hides more")


def _shape_relations(actual: Tensor, expected: Tensor) -> Signatures:
    """The right entries in another shape."""
    if actual.dim() == expected.dim():
        for axis, other in combinations(range(actual.dim()), 2):
            if _same(actual, expected.transpose(axis, other)):
                yield _is("transposed", axis=axis, other=other)
        for axis in range(actual.dim()):
            if _is_longer(actual, expected, axis):
                yield _is("one too many", axis=axis)
            if _is_longer(expected, actual, axis):
                yield _is("one missing", axis=axis)


def _is_longer(long: Tensor, short: Tensor, axis: int) -> bool:
    """Whether one has a last entry more along an axis, and is the same without it."""
    size = short.size(axis)
    return long.size(axis) == size + 1 and size > 0 and _same(long.narrow(axis, 0, size), short)
