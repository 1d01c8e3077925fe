"""The corpus of answers: what is put into it is read again, and what is damaged is said."""

import ast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.errors import WrongUsage
from benchmarks import corpus as module
from benchmarks.corpus import Answer, add, as_cells, condensed, corpus, main, rounds
from benchmarks.line_edits import Unfit, edited, edits_of, in_full, nearest

# Of few words, so that lines are alike, with what edits are written with among them.
STARTS = ["", "    ", "return ", "mean = ", "12+ ", "%% ", "⟨"]
ENDS = ["", " ", "x", "x - mean", "var(x)", "f(x)", "-1", "x → mean", "x⟩", "x ⏎ y"]
TEXTS = st.lists(st.sampled_from([start + end for start in STARTS for end in ENDS]), max_size=12)
AT_LEISURE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

BASE = ["def f(x):", "    mean = x.mean()", "    if mean:", "        x = x - mean", "    return x"]
IN_ONE = "   2-5=     ⟨mean = x.mean() ⏎ if mean: ⏎ x = x - mean ⏎ return x → return x - x.mean()⟩"


@AT_LEISURE
@given(base=TEXTS, text=TEXTS)
def test_edits_give_the_text_again(base, text):
    assert edited(base, edits_of(base, text)) == text
    assert edited(base, edits_of(base, text, rename=True)) == text
    assert edited([""] * len(text), in_full(text)) == text


@AT_LEISURE
@given(bases=st.lists(TEXTS, max_size=4), text=TEXTS)
def test_no_base_is_nearer_than_the_one_that_is_chosen(bases, text):
    place, edits = nearest(bases, text)
    assert edited([""] * len(edits) if place is None else bases[place], edits) == text
    assert len(edits) <= min([len(text), *(len(edits_of(base, text)) for base in bases)])


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        (BASE, []),
        ([*BASE[:4], "    return -x"], ["     5=     return ⟨ → -⟩x"]),
        ([*BASE, "print(f)"], ["     5+ print(f)"]),
        ([*BASE[:2], BASE[4]], ["   3-4- if mean: ⏎ x = x - mean"]),
        ([BASE[0], "    return x - x.mean()"], [IN_ONE]),
        ([BASE[0], "    y = 2", "    while y:", "        y -= 1", BASE[4]],
         ["   2-4:     y = 2", "     4+     while y:", "     4+         y -= 1"]),
        ([line.replace("mean", "mu").replace("x.mu", "x.mean") for line in BASE],
         ["     2=     ⟨mean → mu⟩ = x.mean()", "     3=     if ⟨mean → mu⟩:",
          "     4=         x = x - ⟨mean → mu⟩"]),
    ],
)  # fmt: skip
def test_edits_show_what_changes(text, edits):
    assert edits_of(BASE, text) == edits


def test_other_names_are_one_edit():
    text = [line.replace("x", "features") for line in BASE]
    assert nearest([BASE], text) == (0, ["   all= x → features"])


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("x = 1", "is no edit"),
        ("     1* x", "is no edit"),
        ("   1-2+ x", "is no edit"),
        ("     6: x", "beyond the 5 lines"),
        ("   4-3: x", "out of order"),
        ("     0: x", "out of order"),
        ("     5=     return ⟨y → x⟩", "changes '    return x'"),
        ("     5=     return x", "has to say what changes"),
        ("     5- return y", "leaves out 'return x'"),
        ("   all= x, y", "which names are replaced"),
        ("   all+ x → y", "has to be the first edit"),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(edit, message):
    with pytest.raises(Unfit, match=message):
        edited(BASE, [edit])


def test_edits_are_in_order():
    with pytest.raises(Unfit, match="out of order"):
        edited(BASE, ["     3+ x", "     2+ y"])
    with pytest.raises(Unfit, match="has to be the first edit"):
        edited(BASE, ["     3+ x", "   all= x → y"])


@pytest.fixture
def written(tmp_path):
    """A folder of cells to padding_mask, and an empty corpus."""
    folder, to = tmp_path / "new", tmp_path / "corpus"
    folder.mkdir()
    to.mkdir()
    (folder / "padding_mask.py").write_text(
        "# %% right: as_asked\n"
        "def padding_mask(ids, pad_id=0):\n"
        '    """Which tokens are words."""\n\n'
        "    return (ids != pad_id)[:, None, None, :]  # (N, 1, 1, T)\n"
        "# %% wrong: inverted | TRUE CAUSE: the mask is that of padding | not of words\n"
        "def padding_mask(ids, pad_id=0):\n"
        "    return (ids == pad_id)[:, None, None, :]  # (N, 1, 1, T)\n"
    )
    return folder, to


def test_a_round_is_read_as_it_was_written_but_for_docstrings_and_blank_lines(written):
    folder, to = written
    assert add("first", folder, to) == 2
    head = "def padding_mask(ids, pad_id=0):\n    return (ids "
    tail = " pad_id)[:, None, None, :]  # (N, 1, 1, T)"
    answers = [
        Answer("right", "as_asked", "", f"{head}!={tail}"),
        Answer(
            "wrong", "inverted", "the mask is that of padding | not of words", f"{head}=={tail}"
        ),
    ]
    assert corpus(to) == {("first", "padding_mask"): answers}
    (folder / "padding_mask.py").write_text(as_cells(answers))
    before = (to / "padding_mask.txt").read_text()
    add("second", folder, to)
    assert corpus(to)["second", "padding_mask"] == answers
    added = (to / "padding_mask.txt").read_text().removeprefix(before)
    assert added.startswith("%% right second/as_asked | like ") and len(added.splitlines()) == 2


def test_a_name_is_given_once_in_a_round(written):
    folder, to = written
    add("first", folder, to)
    before = (to / "padding_mask.txt").read_text()
    with pytest.raises(WrongUsage, match="has an answer first/as_asked to padding_mask"):
        add("first", folder, to)
    assert (to / "padding_mask.txt").read_text() == before


def test_what_is_no_round_is_not_added(written, tmp_path):
    folder, to = written
    with pytest.raises(WrongUsage, match="one word"):
        add("the first", folder, to)
    with pytest.raises(WrongUsage, match="COMPONENT.py"):
        add("first", tmp_path, to)
    (folder / "no_component.py").write_text("# %% right: x\nx = 1\n")
    with pytest.raises(WrongUsage, match="no_component, which no lesson has"):
        add("first", folder, to)
    assert not list(to.iterdir())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (("%% base\n", ""), "has to begin with '%% base'"),
        (("%% right", "%% correct"), r"line \d+: '%% correct .*' is not '%% KIND ROUND/NAME"),
        (("like base", "like first/nothing"), "there is no 'first/nothing' before first/as_asked"),
        (("first/inverted", "first/as_asked"), r"line \d+: first/as_asked is there already"),
        (("     1: def", "     1+ def"), "line 1: .* not numbered from 1"),
        (("     1: def", "     2: def"), "line 1: .* out of order"),
        (("⟨!= →", "⟨< →"), r"line \d+: .* changes"),
    ],
)
def test_a_damaged_file_says_where(written, damage, message):
    folder, to = written
    add("first", folder, to)
    file = to / "padding_mask.txt"
    text = file.read_text()
    assert damage[0] in text, text
    file.write_text(text.replace(*damage, 1))
    with pytest.raises(WrongUsage, match=f"padding_mask.txt.*{message}"):
        rounds(file)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('def f():\n    """Doc."""\n\n    return 1', "def f():\n    return 1"),
        ('class A:\n    """Doc\n\n    string."""\n    x = 1  # x', "class A:\n    x = 1  # x"),
        ('def f():\n    """Doc."""', 'def f():\n    """Doc."""'),
        ('x = """a\n\nb"""\n\ny = f"""\n\n{x}"""', 'x = """a\n\nb"""\ny = f"""\n\n{x}"""'),
        ('def f():\n    """Doc."""; return 1', 'def f():\n    """Doc."""; return 1'),
        ("def f(:\n\n    pass", "def f(:\n\n    pass"),
    ],
)
def test_docstrings_and_blank_lines_are_left_out_and_nothing_else(source, expected):
    assert condensed(source) == expected
    assert condensed(expected) == expected


def test_the_commands_say_what_they_did(written, monkeypatch):
    folder, to = written
    monkeypatch.setattr(module, "CORPUS", to)
    assert main(["add", "first", str(folder)]).startswith("2 answers added")
    shown = main(["show", "padding_mask", "first"])
    assert shown == as_cells(rounds(to / "padding_mask.txt")["first"])
    assert "# %% wrong: inverted | the mask is" in shown
    with pytest.raises(WrongUsage, match=r"there is no .*LayerNorm\.txt"):
        main(["show", "LayerNorm"])
    with pytest.raises(WrongUsage, match="benchmarks.corpus add ROUND FOLDER"):
        main(["remove"])


def test_what_the_corpus_holds_can_be_parsed():
    answers = [answer for found in corpus().values() for answer in found]
    assert len(answers) >= 4900
    for answer in answers:
        ast.parse(answer.source)
