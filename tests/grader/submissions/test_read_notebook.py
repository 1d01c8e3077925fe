"""Any bytes are read as a notebook, or refused with a reason; never anything else."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.results.remarks import Problem
from autograder.sandbox import bounded_call
from autograder.sandbox.bounded_call import NotFinished
from autograder.submissions.notebook_as_submitted import MOST_CELLS
from autograder.submissions.read_notebook import read_notebook


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


def test_what_takes_too_much_memory_is_refused_and_the_next_one_is_read():
    outputs = b"[" + b"[{},[]]," * (10 << 20) + b"0]"
    assert refusal(b'{"cells": [{"outputs": ' + outputs + b"}]}") == "too_much"
    assert read_notebook(b'{"cells": []}').cells == ()


def test_where_no_process_can_be_had_it_is_not_the_students_fault(monkeypatch):
    def call(*arguments, **more):
        raise NotFinished("no more processes")

    monkeypatch.setattr(bounded_call, "call", call)
    with pytest.raises(NotFinished):
        read_notebook(b'{"cells": []}')


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ('{"cells": [{"cell_type": "raw", "source": "1", "source": "2"}]}', ["2"]),
        ('{"cells": [], "cells": [{"cell_type": "raw", "source": "x", "id": NaN}]}', ["x"]),
        ('{"cells": [{"cell_type": "raw", "source": "x", "metadata": {"nbgrader": '
         '{"points": 1e999, "grade_id": "%s", "checksum": [[]]}}}]}' % ("a" * 10**6), ["x"]),
        ('{"nbformat": 99999999999999999999, "cells": [{"source": "x"}]}', ["x"]),
    ],
)  # fmt: skip
def test_what_only_a_malicious_file_holds_is_read_as_json_says(text, sources):
    assert [cell.source for cell in read_notebook(text.encode()).cells] == sources


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
