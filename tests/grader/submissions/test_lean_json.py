"""What is wanted of a JSON text is kept, whatever its size; all else costs no memory."""

import itertools
import json
import math
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.results.remarks import Problem
from autograder.submissions import lean_json
from autograder.submissions.lean_json import LEAF, read_wanted

CODE = {"cells": [{"source": [LEAF]}]}
MEGABYTE = 1 << 20


def large(begin: str, unit: str, end: str, size: int = 40 * MEGABYTE) -> Iterator[bytes]:
    """A text of this size in pieces: `begin`, `unit` again and again, `end`."""
    piece = (unit * (MEGABYTE // 4 // len(unit))).encode()
    middle = itertools.repeat(piece, size // len(piece))
    return itertools.chain([begin.encode()], middle, [end.encode()])


def outcome(text, wanted=CODE) -> object:
    """What is kept, or the key of what is wrong."""
    try:
        return read_wanted([text] if isinstance(text, bytes) else text, wanted)
    except Problem as problem:
        assert problem.remark.text
        return problem.remark.key


BEFORE, AFTER = '{"cells": [{"outputs": [', '], "source": ["x = 1"]}]}'
KEPT = {"cells": [{"source": ["x = 1"]}]}
LARGE = {
    "one picture": ((BEFORE + '{"image/png": "', "iVBORw0K", '"}' + AFTER), KEPT),
    "a picture in lines": ((BEFORE, '"iVBORw0KGgoAAAANSUhEUgAAAAUA\\n", ', '""' + AFTER), KEPT),
    "a table of numbers": ((BEFORE, "[" + "0.25, " * 100 + "null], ", "0" + AFTER), KEPT),
    "a text of escapes": ((BEFORE + '"', r"\\\"\u00e9\n", '"' + AFTER), KEPT),
    "attachments": (('{"cells": [{"attachments": {"a": "', "A", '"}, "source": "x"}]}'),
                    {"cells": [{"source": "x"}]}),
    "spaces": (('{"cells": []}', " ", ""), {"cells": []}),
    "brackets without end": ((BEFORE, "[", AFTER), "too_deep"),
    "objects without end": ((BEFORE, '{"a":', AFTER), "too_deep"),
    "lists one after the other": ((BEFORE, "[],", "0" + AFTER), "too_many_brackets"),
    "cells one after the other": (('{"cells": [', "{},", "{}]}"), "too_large_kept"),
    "lines of code": (('{"cells": [{"source": [', '"",', '""]}]}'), "too_large_kept"),
    "names": (("{", '"a": 1,', '"b": 2}'), "too_large_kept"),
    "a string without end": ((BEFORE + '"', "a", ""), "not_json"),
    "a number without end": (('{"cells": ', "1", "}"), "not_json"),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_a_large_text_takes_little_memory(name, monkeypatch):
    # Smaller limits than the real ones, for the time of this test; the pieces are the same.
    monkeypatch.setattr(lean_json, "MOST_KEPT", 2 * MEGABYTE)
    monkeypatch.setattr(lean_json, "MOST_BRACKETS", 200_000)
    parts, expected = LARGE[name]
    tracemalloc.start()
    try:
        assert outcome(large(*parts)) == expected
        assert tracemalloc.get_traced_memory()[1] < 12 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_what_is_kept_is_bounded():
    assert outcome(large('{"cells": [{"source": "', "x", '"}]}', 70 * MEGABYTE)) == "too_large_kept"


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", '{"cells"', '{"cells":', '{"cells": [', '{"cells": [{}', '{"cells": [{},',
     '{"cells": [] ', '{"cells": []} x', '{"a": [1, 2}', '{"a" 1}', "{1: 2}", '{"a": 1,}',
     '{"cells": [1,]}', '{"cells": tru}', '{"cells": 1 2}', '{"cells": "a', '{"cells": "\\x"}',
     '{"cells": "\n"}', '{"a": "', '{"a": "\\', '{"a": {"b": "}', '{"a": [}', "nul", "'a'"],
)  # fmt: skip
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError):
        json.loads(text)
    # Of what is dropped, only strings and brackets are looked at.
    if text not in ('{"a": [1, 2}', '{"a": [}'):
        assert outcome(text.encode()) == "not_json"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cells", "source", "a", '"', "{["]), inner, max_size=4)
    ),
    max_leaves=25,
)


def reduced(tree: object, wanted: object) -> object:
    """What is kept of a JSON value, in the plainest way to find it."""
    if isinstance(tree, dict):
        names = tree.keys() & wanted.keys() if isinstance(wanted, dict) else ()
        return {name: reduced(tree[name], wanted[name]) for name in names}
    if isinstance(tree, list):
        return [reduced(one, wanted[0]) for one in tree] if isinstance(wanted, list) else []
    return tree


def without_nan(tree: object) -> object:
    if isinstance(tree, dict):
        return {name: without_nan(one) for name, one in tree.items()}
    if isinstance(tree, list):
        return [without_nan(one) for one in tree]
    return "nan" if isinstance(tree, float) and math.isnan(tree) else tree


@settings(max_examples=300, deadline=None)
@given(JSON, st.integers(1, 9), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_the_wanted_parts_are_those_of_json(tree, size, encoding):
    text = json.dumps(tree, ensure_ascii=size % 2 == 0, indent=size % 3 or None)
    content = text.encode(encoding, "surrogatepass")
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    assert without_nan(outcome(pieces)) == without_nan(reduced(tree, CODE))
