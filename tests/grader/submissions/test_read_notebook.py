"""Any bytes are read as a notebook, or refused with a reason; never anything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.results.remarks import Problem
from autograder.submissions.read_notebook import MOST_CELLS, read_notebook


def refusal(content: bytes) -> str:
    with pytest.raises(Problem) as raised:
        read_notebook(content)
    return raised.value.remark.key


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "not_json"),
        (b"\x00\xff\xfe", "not_json"),
        (b'{"cells": [', "not_json"),
        (b"<html>Sign in</html>", "not_json"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "not_json"),
        (b"[]", "not_notebook"),
        (b"{}", "not_notebook"),
        (b'{"cells": 3}', "not_notebook"),
        (b"[" * 200_000, "too_deep"),
        (b'{"a":' * 200_000, "too_deep"),
        (json.dumps({"cells": [{}] * (MOST_CELLS + 1)}).encode(), "too_many_cells"),
        (
            json.dumps({"cells": [{"cell_type": "code", "source": "x" * 300_000}]}).encode(),
            "source_too_large",
        ),
        (
            json.dumps({"cells": [{"cell_type": "code", "source": "x" * 150_000}] * 14}).encode(),
            "cells_too_large",
        ),
    ],
    ids=str,
)
def test_what_is_no_notebook_is_refused_with_its_reason(content, key):
    assert refusal(content) == key


def test_what_no_editor_writes_is_read_as_nothing():
    odd = [
        None,
        3,
        {"cell_type": []},
        {"cell_type": "code", "source": {"a": 1}, "id": 7},
        {"cell_type": "code", "source": ["a", 1, "b"], "metadata": {"nbgrader": "x"}},
    ]
    cells = read_notebook(json.dumps({"cells": odd, "metadata": []}).encode()).cells
    assert [cell.source for cell in cells] == ["", "", "", "", "ab"]


def test_a_lone_surrogate_becomes_an_escape_and_all_else_stays():
    cell = {"cell_type": "code", "source": "x = '\ud800\x1b[31m\x00'\f\r\ny = 1\rz = 2\u2028"}
    (read,) = read_notebook(json.dumps({"cells": [cell]}).encode()).cells
    assert read.source == "x = '\\ud800\x1b[31m\x00'\f\ny = 1\nz = 2\u2028"


def test_a_picture_within_prose_is_not_kept():
    source = f"See ![it](data:image/png;base64,{'iVBORw0K' * 100_000}=) above."
    for kind, expected in ("markdown", "See ![it](data:image/png;base64,) above."), ("code", ""):
        content = json.dumps({"cells": [{"cell_type": kind, "source": [source]}]}).encode()
        if expected:
            assert read_notebook(content).cells[0].source == expected
        else:
            assert refusal(content) == "source_too_large"


def test_other_encodings_are_read():
    for encoding in ("utf-8-sig", "utf-16"):
        content = '{"cells": [{"cell_type": "markdown", "source": "é"}]}'.encode(encoding)
        assert read_notebook(content).cells[0].source == "é"


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "worksheets", "cell_type", "source", "input", "metadata", "nbgrader",
                 "grade_id", "id", "kernelspec", "name", "nbformat", "workbook", "lesson"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(trees)
def test_any_json_is_read_or_refused(tree):
    try:
        notebook = read_notebook(json.dumps(tree).encode())
    except Problem:
        return
    assert all(isinstance(cell.source, str) for cell in notebook.cells)
