"""What a check looks like: focus on one thing, sound markup, nothing that breaks out of it."""

from html.parser import HTMLParser

import pytest
from hostile.markup import CONTROLS, MARKUP

from transformer_workbook.checks.report import Check, Row

CALL = "attention(query (2, 3, 4))"
RIGHT = Check("attention", [Row("no mask", CALL, []), Row("a mask", CALL, [])], note="Saved.")
WRONG = Check(
    "attention",
    [
        Row("no mask", CALL, []),
        Row("a mask", CALL, ["weights[0, 0] is 0.1; it should be exactly 0."]),
        Row("as many queries as keys", CALL, ["output has the shape (1,)"]),
        Row("gradients", CALL, ["a gradient is missing"]),
    ],
    ['wb.hint("masked")', 'wb.hint("scale")'],
    cause="The mask comes too late: `softmax` has run by then.",
)


class Reader(HTMLParser):
    """The tags, the attributes and the words of markup; complains about what is not closed."""

    VOID = {"br"}

    def __init__(self, markup: str):
        super().__init__()
        self.tags, self.open, self.words = [], [], []
        self.feed(markup)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.words.append((data, tuple(self.open)))

    def text(self, inside: str = "") -> str:
        return " ".join(words for words, tags in self.words if not inside or inside in tags)

    def outside(self, tag: str) -> str:
        return " ".join(words for words, tags in self.words if tag not in tags)


def test_the_cause_and_the_first_thing_to_mend_are_in_sight_and_all_else_is_folded():
    seen, folded = Reader(WRONG._repr_html_()).outside("details"), Reader(WRONG._repr_html_())
    assert "a mask" in seen and "should be exactly 0" in seen and "comes too late" in seen
    assert seen.index("comes too late") < seen.index("should be exactly 0")
    assert 'wb.hint("masked")' in seen
    for later in ("as many queries as keys", "the shape (1,)", "a gradient is missing"):
        assert later not in seen
        assert later in folded.text("details")
    assert "open" not in dict(folded.tags)["details"]


def test_the_text_says_the_cause_first_and_the_rest_in_a_line_each():
    assert repr(WRONG).splitlines() == [
        "✗ attention: 1 of 4 checks passed.",
        "Why: The mask comes too late: `softmax` has run by then.",
        "Look at this first: a mask",
        f"  called: {CALL}",
        "  returned: weights[0, 0] is 0.1; it should be exactly 0.",
        'Stuck? Ask for a hint: wb.hint("masked"), wb.hint("scale")',
        "These fail, too (2): as many queries as keys; gradients",
        "Passed (1): no mask",
    ]


def test_the_text_has_few_lines_whatever_there_is_to_tell():
    large = [{"caption": "a", "head": list("abcdef"), "legend": ["All differ."],
              "rows": [[str(row), [["1", "", True]] * 6] for row in range(10)]}]  # fmt: skip
    cases = [Row(f"a case of many, number {n}", CALL, ["x is 1"], large) for n in range(40)]
    lines = repr(Check("f", cases, cause="A cause.", note="A note.")).splitlines()
    assert len(lines) <= 15 and max(map(len, lines)) <= 220


def test_code_in_messages_is_marked_up_and_has_no_backquotes_left():
    shown = WRONG._repr_html_()
    assert "<code>softmax</code>" in shown and "`" not in shown


def test_what_was_raised_is_not_called_returned():
    check = Check("f", [Row("a case", CALL, ["TypeError: no"], verb="raised")])
    assert "  raised: TypeError: no" in repr(check)
    assert "raised" in Reader(check._repr_html_()).outside("details")


def test_what_passed_is_short():
    assert repr(RIGHT).splitlines() == ["✓ attention: all 2 checks passed.", "Saved."]
    seen = Reader(RIGHT._repr_html_()).outside("details")
    assert "all 2 checks passed" in seen and "Saved." in seen and "a mask" not in seen


def test_a_single_check_is_not_called_all_1_checks():
    assert repr(Check("f", [Row("once", CALL, [])])) == "✓ f: the one check passed."


def test_no_result_is_told_by_colour_alone():
    read = Reader(WRONG._repr_html_())
    cells = [words for words, tags in read.words if tags[-1:] == ("td",) and "details" in tags]
    assert cells == ["✓ passed", "✗ to fix", "✗ to fix", "✗ to fix"]


@pytest.mark.parametrize("check", [RIGHT, WRONG], ids=["right", "wrong"])
def test_a_screen_reader_finds_its_way(check):
    tags = Reader(check._repr_html_()).tags
    group = tags[0][1]
    assert group["role"] == "group" and "attention" in group["aria-label"]
    heading = next(given for _, given in tags if given.get("role") == "heading")
    assert heading["aria-level"] == "4"
    assert all(given.get("scope") in ("col", "row") for tag, given in tags if tag == "th")
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption")
    assert names.count("details") == names.count("summary")


def test_every_header_cell_has_words():
    words = Reader(WRONG._repr_html_()).words
    headers = [text for text, tags in words if tags[-1:] == ("th",)]
    assert len(headers) == WRONG._repr_html_().count("<th ")
    assert all(text.strip() for text in headers)


@pytest.mark.parametrize("evil", MARKUP)
def test_hostile_names_and_values_do_not_break_out(evil):
    plain = Check("f", [Row("g", "h", ["i"]), Row("k", "l", ["m", "n"])], ["o"], "p", "q")
    check = Check(
        evil, [Row(evil, evil, [evil]), Row(evil, evil, [evil, evil])], [evil], evil, evil
    )
    read = Reader(check._repr_html_())

    def skeleton(reader):
        return [(tag, {**given, "aria-label": ""}) for tag, given in reader.tags if tag != "br"]

    assert skeleton(read) == skeleton(Reader(plain._repr_html_()))
    assert evil in read.text()


@pytest.mark.parametrize("text", CONTROLS)
def test_control_characters_are_shown_not_obeyed(text):
    check = Check("f", [Row("a case", "f()", [text])])
    for shown in (repr(check), check._repr_html_()):
        assert not set(shown) & set("\x1b\x00\u202e\x07\x08")
        assert "\\x" in shown or "\\u" in shown


def test_a_message_of_several_lines_stays_in_its_place():
    check = Check("f", [Row("a case", "f()", ["Error:\n\tsize mismatch"])])
    assert "  returned: Error:\n     size mismatch" in repr(check)
    assert "Error:<br>" in check._repr_html_()


def test_a_note_without_rows_is_all_there_is():
    check = Check("f", [], [], "There is no component called 'f' <here>.")
    assert repr(check) == "There is no component called 'f' <here>."
    assert "&lt;here&gt;" in check._repr_html_()
    assert not check


def test_a_note_comes_before_what_it_explains():
    check = Check("f", [Row("a case", "f()", ["a finding"])], note="An older version was tried.")
    for said in (repr(check), check._repr_html_()):
        assert said.index("An older version") < said.index("a finding")
