"""What was handed in to other graders, after public reports, and what has to come of it here.

A line each: the kind, with the report (repository and number); a function that takes the notebook
with all answers right and returns files by name; how much is graded (all, some or none), and the
key of the repair or problem that tells of it, empty for none.
"""

import base64
import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

Tree = dict[str, Any]
Files = dict[str, bytes]
Make = Callable[[Tree], Files]
NAME = "attention.ipynb"


def _bytes(tree: object, **more: Any) -> bytes:
    return json.dumps(tree, **more).encode()


def _edited(change: Callable[[Tree], object], name: str = NAME) -> Make:
    def make(notebook: Tree) -> Files:
        tree = json.loads(json.dumps(notebook))
        change(tree)
        return {name: _bytes(tree)}

    return make


def _cells(change: Callable[[Tree], object], of: str = "") -> Make:
    """Changes each cell, or each of one type; `answers` are those with students' code."""

    def is_meant(cell: Tree) -> bool:
        is_answer = cell["cell_type"] == "code" and _mark(cell).get("solution")
        return bool(is_answer) if of == "answers" else of in ("", cell["cell_type"])

    return _edited(lambda tree: [change(cell) for cell in tree["cells"] if is_meant(cell)])


def _mark(cell: Tree) -> Tree:
    mark: Tree = cell["metadata"].get("nbgrader", {})
    return mark


def _first(tree: Tree) -> int:
    """The place of the first answer."""
    return next(place for place, cell in enumerate(tree["cells"])
                if cell["cell_type"] == "code" and _mark(cell).get("solution"))  # fmt: skip


def _zipped(files: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def _with_password(notebook: Tree) -> Files:
    content = bytearray(_zipped([(NAME, _bytes(notebook))]))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return {"work.zip": bytes(content)}


def _again(tree: Tree) -> None:
    cell = copy.deepcopy(tree["cells"][_first(tree)])
    cell["source"] = "x = 1  # tried here"
    tree["cells"].insert(_first(tree), cell)


def _retyped(tree: Tree) -> None:
    old = tree["cells"].pop(_first(tree))
    new = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 3}
    tree["cells"].append({**new, "source": old["source"]})


def _of_older_release(tree: Tree) -> None:
    mark = {"grade_id": "part_of_last_year", "solution": True, "grade": False, "locked": False,
            "schema_version": 3, "task": False}  # fmt: skip
    cell = {"cell_type": "code", "metadata": {"nbgrader": mark}, "outputs": [], "source": "y = 2"}
    tree["cells"].insert(2, cell | {"execution_count": None})


def _first_answer(change: Callable[[str], str]) -> Make:
    def edit(tree: Tree) -> None:
        cell = tree["cells"][_first(tree)]
        cell["source"] = change("".join(cell["source"]))

    return _edited(edit)


def _script(separator: str, begin: str = "") -> Make:
    def make(notebook: Tree) -> Files:
        code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
        return {"attention.py": (begin + separator.join(code)).encode()}

    return make


def _beside(name: str, content: Callable[[Tree], bytes] = lambda n: b"x") -> Make:
    return lambda notebook: {NAME: _bytes(notebook), name: content(notebook)}


def _instead(name: str, content: Callable[[Tree], bytes] = lambda n: b"x") -> Make:
    return lambda notebook: {name: content(notebook)}


def _emptied(notebook: Tree) -> bytes:
    tree = json.loads(json.dumps(notebook))
    del tree["cells"][1:]
    return _bytes(tree)


def _code(source: str) -> Tree:
    more = {"metadata": {}, "outputs": [], "execution_count": 1}
    return {"cell_type": "code", "source": source, **more}


REPORTED: dict[str, tuple[Make, str, str]] = {
    # The marks of nbgrader's cells.
    "jupyter/nbgrader#1083 an answer cell copied": (_edited(_again), "all", "answer_twice"),
    "jupyter/nbgrader#424 an answer deleted and typed anew at the end": (
        _edited(_retyped), "all", "answer_by_content"),
    "jupyter/nbgrader#377 a mark with nothing but a grade id": (
        _cells(lambda c: c["metadata"].update(nbgrader={"grade_id": "x"}), "markdown"), "all", ""),
    "jupyter/nbgrader#1941 answers turned into raw cells": (
        _cells(lambda c: c.update(cell_type="raw"), "answers"), "all", "answer_kind"),
    "jupyter/nbgrader#1302 a notebook called after the student": (
        _edited(len, "WMS q3.ipynb"), "all", "renamed"),
    "TU-Wien-dataLAB/grader-service#341 a part of an older release": (
        _edited(_of_older_release), "all", ""),
    "ucbds-infra/otter-grader#433 the third download": (
        _edited(len, "attention (3).ipynb"), "all", "renamed"),
    "ucbds-infra/otter-grader#755 a cell with a widget that waits": (
        _edited(lambda t: t["cells"].append(_code("from ipywidgets import interact"))), "all", ""),
    # What editors and converters write.
    "jupyterlab/jupyter-collaboration#594 each cell once more, behind all others": (
        _edited(lambda t: t["cells"].extend(copy.deepcopy(t["cells"]))), "all", "answer_twice"),
    "jupyter/help#171 the end of an older file behind the end": (
        lambda n: {NAME: _bytes(n) + _bytes(n)[-900:]}, "all", "damaged"),
    "jataware/beaker-notebook#244 a notebook that was set aside": (
        _edited(len, NAME + ".invalid"), "all", "renamed"),
    "microsoft/vscode-python#10855 Markdown cells with outputs": (
        _cells(lambda c: c.update(outputs=[], execution_count=None), "markdown"), "all", ""),
    "microsoft/vscode-jupyter#2487 code cells without outputs and numbers": (
        _cells(lambda c: [c.pop("outputs"), c.pop("execution_count")], "code"), "all", ""),
    "microsoft/vscode-python#8772 answers turned into Markdown with their outputs": (
        _cells(lambda c: c.update(cell_type="markdown", outputs=[1]), "answers"), "all",
        "answer_kind"),
    "jupyter/nbconvert#1731 Colab's widgets without a state": (
        _edited(lambda t: t["metadata"].update(widgets={"application/x": {}})), "all", ""),
    "astral-sh/ruff#6834 ids that are null": (_cells(lambda c: c.update(id=None)), "all", ""),
    "OpenBioLink/ThoughtSource#128 one id of all cells": (
        _cells(lambda c: c.update(id="a")), "all", ""),
    "jupytext/jupytext#1463 ids in a format without them": (
        _edited(lambda t: t.update(nbformat_minor=4)), "all", ""),
    "jupyter/nbformat#359 no ids in a format with them": (_cells(lambda c: c.pop("id")), "all", ""),
    "quantumlib/Cirq#5874 Colab's forms, with an id in two places": (
        _cells(lambda c: c["metadata"].update(id=c["id"], cellView="form")), "all", ""),
    "deepnote/deepnote#167 Deepnote's marks in place of nbgrader's": (
        _cells(lambda c: c.update(metadata={"cell_id": "1", "deepnote_cell_type": "code"}, id="")),
        "all", "answer_by_content"),
    "ipython/ipython#7869 metadata of a cell that are a list": (
        _edited(lambda t: t["cells"][0].update(metadata=[])), "all", ""),
    "petrobras/3W#71 a notebook without metadata": (
        _edited(lambda t: t.pop("metadata")), "all", ""),
    "geg2102/nvim-jupyter-client#6 metadata of an output that are a list": (
        _cells(lambda c: c.update(outputs=[{"output_type": "execute_result", "metadata": []}]),
               "code"), "all", ""),
    "jupyter/notebook#1964 metadata of printed output": (
        _cells(lambda c: c.update(outputs=[{"output_type": "stream", "name": "stdout",
                                            "text": "1", "metadata": {}}]), "code"), "all", ""),
    "goerz/jupytext.nvim#12 half of a sign in a comment": (
        _first_answer(lambda s: s + "\n# \ud83d"), "all", ""),
    "alexmojaki/futurecoder#342 quotes of a word processor behind one answer": (
        _first_answer(lambda s: s + "\nx = \u201cmine\u201d"), "all", ""),
    "Snowflake-Labs/snowpark-extensions-py#44 a script of Databricks": (
        _script("\n\n# COMMAND ----------\n\n", "# Databricks notebook source\n"), "all", "script"),
    # Packed.
    "ucbds-infra/otter-grader#764 otter's zip, with a PDF and pictures": (
        lambda n: {"attention_2026.zip": _zipped([
            (NAME, _bytes(n)), ("attention.pdf", b"%PDF"), ("mine.png", b"x"),
            (".OTTER_LOG", b"x"), ("__zip_filename__", b"x")])}, "all", "unpacked"),
    "ibm-skills-network/mark#630 a zip of macOS": (
        _instead("w.zip", lambda n: _zipped([("__MACOSX/._" + NAME, b"x"), (NAME, _bytes(n))])),
        "all", "unpacked"),
    "saasbook/rag#54 a zip of folders in folders": (
        _instead("w.zip", lambda n: _zipped([("a/b/c/d/" + NAME, _bytes(n))])), "all", "unpacked"),
    "mfthomps/Labtainers#53 what was in the zip, in its folder": (
        _instead(f"work/{NAME}", _bytes), "all", ""),
    "autolab/Autolab#1644 a PDF called a zip": (
        _instead("handin.zip", lambda n: b"%PDF-1.7"), "none", "pdf"),
    "autolab/Autolab#367 a zip called a tgz": (
        _instead("handin.tgz", lambda n: _zipped([(NAME, _bytes(n))])), "all", "unpacked"),
    "python/cpython#117084 folders of Windows in a zip": (
        _instead("w.zip", lambda n: _zipped([("work\\" + NAME, _bytes(n))])), "all", "unpacked"),
    "rerrorctf/ret#64 a zip with a password": (_with_password, "none", "unreadable"),
    # Beside the notebook, or instead of it.
    "sagemathinc/cocalc#4575 the notebook as it was given beside it": (
        _beside("x.ipynb", _emptied), "all", "several_most"),
    "sagemathinc/cocalc#4931 other files, and no notebook": (
        _instead("notes.txt"), "none", "no_notebook"),
    "PrairieLearn/PrairieLearn#4808 the file within JSON of a submission": (
        _instead("submission.json", lambda n: _bytes([{"name": NAME, "contents": base64.b64encode(
            _bytes(n)).decode()}])), "none", "not_notebook"),
    "deep-floyd/IF#29 a pointer of Git LFS": (
        lambda n: {NAME: b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n"},
        "none", "nothing_left"),
    "onivim/oni2#3010 a file that iCloud has not loaded": (
        _instead(".attention.ipynb.icloud"), "none", "no_notebook"),
}  # fmt: skip

# Paths of the files of two students, and what these are called; ann's second file is newer.
NAMED: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "autolab/Autolab#693 numbered versions": (
        ("ann@uni.example_1_handin.ipynb", "ann@uni.example_2_handin.ipynb",
         "bo@uni.example_1_handin.ipynb"), {"ann@uni.example", "bo@uni.example"}),
    "autolab/Autolab#2244 versions of one name": (
        ("ann@uni.example_9_attention.ipynb_ver9.ipynb", "ann@uni.example_10_a.ipynb_ver10.ipynb",
         "bo@uni.example_1_attention.ipynb"), {"ann@uni.example", "bo@uni.example"}),
    "jupyter/nbgrader#796 folders of ILIAS": (
        ("HW 1/Lee_Ann_ann_77/attention.ipynb", "HW 1/Ray_Bo_bo_78/attention.ipynb"),
        {"Lee_Ann_ann_77", "Ray_Bo_bo_78"}),
    "HGustavs/LenaSYS#1809 names and logins": (
        ("lee_ann_a21/x.ipynb", "ray_bo_b22/x.ipynb"), {"lee_ann_a21", "ray_bo_b22"}),
    "jupyter/nbgrader#1409 folders made by hand": (
        ("submitted/ann/01_attention/x.ipynb", "submitted/bo/01_attention/x.ipynb"), {"ann", "bo"}),
    "jupyter/nbgrader#724 attempts of two notebooks": (
        ("inbound/ann+01-attention+2026-03-03 11:00:00 UTC/attention.ipynb",
         "inbound/ann+01-attention+2026-03-03 17:00:00 UTC/attention.ipynb",
         "inbound/bo+01-attention+2026-03-03 17:00:00 UTC/attention.ipynb"), {"ann", "bo"}),
    "instructure/canvas-lms#2406 a test student's zip": (
        ("studenttest_3143_207797_zipsubmission.zip", "leeann_3144_207798_attention.ipynb"),
        {"studenttest_3143", "leeann_3144"}),
    "IIC1253/IIC1253-2025-1#34 Canvas numbers a student's number": (
        ("leeann_31_70_11111111.ipynb", "leeann_31_71_11111111-2.ipynb",
         "raybo_32_72_22222222.ipynb"), {"leeann_31", "raybo_32"}),
    "openedx/edx-ora2#1610 attachments in students' folders": (
        ("Course/Block/ann/attachments/attention.ipynb", "Course/Block/ann/part_0.txt",
         "Course/Block/bo/attachments/attention.ipynb"), {"ann", "bo"}),
}  # fmt: skip
