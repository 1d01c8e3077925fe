"""Whether what a signature says of a result is so: each sentence, recomputed with numpy alone.

The sentences are read as a student would read them, not as the code that finds them does.
"""

import itertools
import re
from collections.abc import Mapping

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


def ratio(actual: Numbers, expected: Numbers) -> Numbers:
    at = np.abs(expected) > 1e-3 * np.abs(expected).max()
    return actual[at] / expected[at]


def rows_are_multiples(actual: Numbers, expected: Numbers) -> bool:
    rows = zip(actual.reshape(-1, actual.shape[-1]), expected.reshape(actual.shape).reshape(
        -1, actual.shape[-1]), strict=True)  # fmt: skip
    return all(np.ptp(ratio(*row)) <= 2e-3 * np.abs(ratio(*row)).max() for row in rows)


def is_longer(long: Numbers, short: Numbers, axis: int) -> bool:
    return long.shape[axis] == short.shape[axis] + 1 and same(part(long, axis, 0, -1), short)


def rows_alike(actual: Numbers, expected: Numbers) -> bool:
    def are(rows: Numbers) -> bool:
        return all(same(rows[..., i, :], rows[..., 0, :]) for i in range(rows.shape[-2]))

    return are(actual) and not are(expected)


def in_other_places(actual: Numbers, expected: Numbers) -> bool:
    moved = same(np.sort(actual, axis=None), np.sort(expected, axis=None))
    return moved and not same(actual, expected)


OF_INPUTS = {"is input": lambda actual, expected, given: same(actual, given)}
OF_RESULTS = {
    "nothing": lambda actual, expected: not actual.any(),
    "turned": lambda actual, expected: bool((actual != expected).all()),
    "some factor": lambda actual, expected: np.ptp(ratio(actual, expected)) <= 2e-3,
    "row factors": rows_are_multiples,
    "rows alike": rows_alike,
    "other order": in_other_places,
    "shows more": lambda actual, expected: (
        (actual >= expected).all() and (actual != expected).any()
    ),
    "hides more": lambda actual, expected: (
        (actual <= expected).all() and (actual != expected).any()
    ),
}
OF_AXES = {
    "transposed": lambda actual, expected, axis, other: same(
        actual, np.swapaxes(expected, axis, other)
    ),
    "flipped": lambda actual, expected, axis: same(actual, np.flip(expected, axis)),
    "one too many": lambda actual, expected, axis: is_longer(actual, expected, axis),
    "one missing": lambda actual, expected, axis: is_longer(expected, actual, axis),
}
OF_NUMBERS = {
    "factor": lambda actual, expected, factor: np.allclose(
        actual, factor * expected, rtol=2e-3, atol=1e-5
    ),
}


def known() -> set[str]:
    """The signatures of which the oracle knows when they hold."""
    return set(itertools.chain(OF_INPUTS, OF_RESULTS, OF_AXES, OF_NUMBERS))
