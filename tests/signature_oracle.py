"""Whether what a signature says of a result is so: each sentence, recomputed with numpy alone.

The sentences are read as a student would read them, not as the code that finds them does.
"""

import itertools
import re
from collections.abc import Callable, Mapping

import numpy as np

from transformer_workbook.diagnosis.compare import Finding
from transformer_workbook.diagnosis.signatures import SENTENCES

Numbers = np.ndarray
RESULT, MASK = "The result", "The mask"


def reading(sentence: str) -> tuple[str, dict[str, str]]:
    """The name of the signature that a sentence tells, and what it names: axes, a factor."""
    for name, template in SENTENCES.items():
        pattern = re.escape(template.format_map(_Fields()))
        pattern = re.sub("FIELD([a-z]+)FIELD", r"(?P<\1>[\\w.+-]+)", pattern)
        if found := re.fullmatch(pattern, sentence):
            return name, found.groupdict()
    raise ValueError(f"no signature says {sentence!r}")


class _Fields(dict):
    def __missing__(self, name: str) -> str:
        return {"result": RESULT, "mask": MASK}.get(name, f"FIELD{name}FIELD")


def is_so(sentence: str, finding: Finding, inputs: Mapping) -> bool:
    """Whether a sentence is true of one finding, in a case with these inputs."""
    name, details = reading(sentence)
    if name in OF_FINDINGS:
        return OF_FINDINGS[name](finding, details)
    assert finding.pair is not None
    actual, expected = np.asarray(finding.pair.actual), np.asarray(finding.pair.expected)
    if name in OF_INPUTS:
        given = np.asarray(inputs[details["name"]])
        return OF_INPUTS[name](actual, expected, given)
    where = {key: int(value) for key, value in details.items() if key in ("axis", "other")}
    if where:
        return OF_AXES[name](actual, expected, **where)
    if details:
        (value,) = details.values()
        return OF_NUMBERS[name](actual, expected, float(value))
    return OF_RESULTS[name](actual, expected)


def same(one: Numbers, other: Numbers) -> bool:
    return one.shape == other.shape and bool(np.all(alike(one, other)))


def alike(one: Numbers, other: Numbers) -> Numbers:
    """Where numbers are the same, as far as a student can see."""
    return np.isclose(one.astype(float), other.astype(float), rtol=1e-4, atol=1e-5)


def part(values: Numbers, axis: int, *ends: int | None) -> Numbers:
    return values[(slice(None),) * axis + (slice(*ends),)]


def wrong_places(actual: Numbers, expected: Numbers, axis: int) -> list[bool]:
    """For each place along an axis, whether some number there is wrong."""
    wrong = np.moveaxis(~alike(actual, expected), axis, 0)
    return [bool(place.any()) for place in wrong]


def only_the(place: int) -> Callable[[Numbers, Numbers, int], bool]:
    def only(actual: Numbers, expected: Numbers, axis: int) -> bool:
        wrong = wrong_places(actual, expected, axis)
        there = np.moveaxis(~alike(actual, expected), axis, 0)[place]
        return sum(wrong) == 1 and wrong[place] and there.mean() >= 0.5

    return only


def ratio(actual: Numbers, expected: Numbers) -> Numbers:
    at = np.abs(expected) > 1e-3 * np.abs(expected).max()
    return actual[at] / expected[at]


def sums_to_1(values: Numbers, axis: int) -> Numbers:
    return np.isclose(values.sum(axis), 1, rtol=1e-3)


def only_diagonal(actual: Numbers, expected: Numbers) -> bool:
    right = alike(actual, expected)
    itself = np.broadcast_to(np.eye(right.shape[-1], dtype=bool), right.shape)
    return bool(right[~itself].all() and not right[itself].all())


def rows_are_multiples(actual: Numbers, expected: Numbers) -> bool:
    rows = zip(actual.reshape(-1, actual.shape[-1]), expected.reshape(actual.shape).reshape(
        -1, actual.shape[-1]), strict=True)  # fmt: skip
    return all(np.ptp(ratio(*row)) <= 2e-3 * np.abs(ratio(*row)).max() for row in rows)


def is_longer(long: Numbers, short: Numbers, axis: int, first: bool) -> bool:
    ends = (1, None) if first else (0, -1)
    return long.shape[axis] == short.shape[axis] + 1 and same(part(long, axis, *ends), short)


def digits_agree(actual: Numbers, expected: Numbers, digits: float) -> bool:
    return bool(np.abs(actual - expected).max() <= 10 ** (0.5 - digits) * np.abs(expected).max())


def rows_alike(actual: Numbers, expected: Numbers) -> bool:
    def are(rows: Numbers) -> bool:
        return all(same(rows[..., i, :], rows[..., 0, :]) for i in range(rows.shape[-2]))

    return are(actual) and not are(expected)


def in_other_places(actual: Numbers, expected: Numbers) -> bool:
    moved = same(np.sort(actual, axis=None), np.sort(expected, axis=None))
    return moved and not same(actual, expected)


OF_INPUTS = {
    "is input": lambda actual, expected, given: same(actual, given),
    "plus input": lambda actual, expected, given: same(actual - expected, given),
    "minus input": lambda actual, expected, given: same(expected - actual, given),
}
OF_RESULTS = {
    "nothing": lambda actual, expected: not actual.any(),
    "all True": lambda actual, expected: actual.all(),
    "all False": lambda actual, expected: not actual.any(),
    "turned": lambda actual, expected: bool((actual != expected).all()),
    "negated": lambda actual, expected: same(actual, -expected),
    "only diagonal": only_diagonal,
    "first for all": lambda actual, expected: all(same(one, expected[0]) for one in actual),
    "some factor": lambda actual, expected: np.ptp(ratio(actual, expected)) <= 2e-3,
    "offset": lambda actual, expected: (
        np.ptp(actual - expected) < 1e-4 and not same(actual, expected)
    ),
    "logarithm": lambda actual, expected: same(np.exp(actual), expected),
    "exponential": lambda actual, expected: same(actual, np.exp(expected)),
    "root": lambda actual, expected: same(actual**2, expected),
    "square": lambda actual, expected: same(actual, expected**2),
    "negative lost": lambda actual, expected: (
        same(actual, np.where(expected < 0, 0, expected)) and (expected < 0).any()
    ),
    "negative kept": lambda actual, expected: (
        same(np.where(actual < 0, 0, actual), expected) and (actual < 0).any()
    ),
    "row factors": rows_are_multiples,
    "no sum": lambda actual, expected: (
        sums_to_1(expected, -1).all() and not sums_to_1(actual, -1).any()
    ),
    "rows alike": rows_alike,
    "other order": in_other_places,
    "shows more": lambda actual, expected: (
        (actual >= expected).all() and (actual != expected).any()
    ),
    "hides more": lambda actual, expected: (
        (actual <= expected).all() and (actual != expected).any()
    ),
    "first right": lambda actual, expected: (
        wrong_places(actual, expected, 0) == [False, *[True] * (len(expected) - 1)]
    ),
    "zeros": lambda actual, expected: not actual[~alike(actual, expected)].any(),
    "squeezed": lambda actual, expected: (
        same(actual.squeeze(), expected.squeeze()) and actual.ndim < expected.ndim
    ),
    "unsqueezed": lambda actual, expected: (
        same(actual.squeeze(), expected.squeeze()) and actual.ndim > expected.ndim
    ),
    "other shape": lambda actual, expected: (
        actual.shape != expected.shape
        and same(np.sort(actual, axis=None), np.sort(expected, axis=None))
    ),
}
OF_AXES = {
    "transposed": lambda actual, expected, axis, other: same(
        actual, np.swapaxes(expected, axis, other)
    ),
    "flipped": lambda actual, expected, axis: same(actual, np.flip(expected, axis)),
    "further": lambda actual, expected, axis: same(
        part(actual, axis, 1, None), part(expected, axis, -1)
    ),
    "earlier": lambda actual, expected, axis: same(
        part(actual, axis, -1), part(expected, axis, 1, None)
    ),
    "sums along": lambda actual, expected, axis, other: sums_to_1(actual, axis).all()
    and sums_to_1(expected, other).all() and not sums_to_1(actual, other).all(),
    "only last": only_the(-1),
    "only first": only_the(0),
    "repeated": lambda actual, expected, axis, count: (
        expected.shape[axis] == 1 and same(actual, np.repeat(expected, count, axis))
    ),
    "one too many": lambda actual, expected, axis: is_longer(actual, expected, axis, False),
    "one too many first": lambda actual, expected, axis: is_longer(actual, expected, axis, True),
    "one missing": lambda actual, expected, axis: is_longer(expected, actual, axis, False),
    "one missing first": lambda actual, expected, axis: is_longer(expected, actual, axis, True),
}  # fmt: skip
OF_NUMBERS = {
    "factor": lambda actual, expected, factor: np.allclose(
        actual, factor * expected, rtol=2e-3, atol=1e-5
    ),
    "rounded": digits_agree,
}


def numbers_of(finding: Finding) -> tuple[float, float]:
    return float(finding.details["actual"]), float(finding.details["expected"])


def is_times(finding: Finding, details: Mapping[str, str]) -> bool:
    actual, expected = numbers_of(finding)
    return bool(np.isclose(actual, float(details["factor"]) * expected, rtol=1e-2))


def is_part(finding: Finding, details: Mapping[str, str]) -> bool:
    actual, expected = numbers_of(finding)
    return bool(np.isclose(actual * float(details["factor"]), expected, rtol=1e-2))


def is_the_other_share(finding: Finding, details: Mapping[str, str]) -> bool:
    shares = {key: float(finding.details[key]) for key in finding.details if key != "of"}
    if "expected" in shares:
        return abs(shares["actual"] + shares["expected"] - 1) < 0.02
    return shares["low"] - 0.02 <= 1 - shares["actual"] <= shares["high"] + 0.02


OF_FINDINGS = {"times": is_times, "part": is_part, "kept for dropped": is_the_other_share}
_OF_ONE = {"negated": lambda x: -x, "logarithm": np.log, "exponential": np.exp}


def of_one_number(name: str) -> Callable[[Finding, Mapping[str, str]], bool]:
    def holds(finding: Finding, details: Mapping[str, str]) -> bool:
        actual, expected = (np.asarray(value) for value in numbers_of(finding))
        return same(actual, _OF_ONE[name](expected))

    return holds


def known() -> set[str]:
    """The signatures of which the oracle knows when they hold."""
    return set(itertools.chain(OF_INPUTS, OF_RESULTS, OF_AXES, OF_NUMBERS, OF_FINDINGS))
