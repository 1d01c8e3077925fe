"""What a student sees of check, hint and use, with right code, wrong code and none at all."""

import time

import pytest
import right_answers
from the_course import COURSE

import transformer_workbook as wb
from transformer_workbook.checks import first_lines


def attention(scale="d_k ** 0.5", **blanks):
    return right_answers.attention(scores=f"query @ key.mT / {scale}", **blanks)


def test_a_right_answer_passes_and_is_saved(notebook, tmp_path):
    notebook.run(attention())
    outcome = wb.check("scaled_dot_product_attention")
    assert outcome
    assert repr(outcome).startswith("✓")
    saved = (tmp_path / "my_transformer/scaled_dot_product_attention.py").read_text()
    assert "torch.where(mask, scores, -1e9)" in saved


def test_a_component_may_be_a_callable_object(notebook):
    notebook.run(
        "class _Mask:\n"
        "    def __call__(self, ids, pad_id):\n"
        "        return (ids != pad_id)[:, None, None, :]\n"
        "padding_mask = _Mask()\n"
    )
    assert wb.check("padding_mask")


def test_a_wrong_answer_says_what_was_called_what_came_and_what_was_expected(notebook):
    notebook.run(attention(scale="1"))
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "called: scaled_dot_product_attention(query (2, 3, 4)" in said
    assert "expected" in said and "returned: The output" in said
    assert "The scores reach the softmax without being scaled" in said
    assert 'wb.hint("scale")' in said and 'wb.hint("masked")' not in said


def test_two_mistakes_at_once_are_told_or_that_something_else_is_wrong(notebook):
    notebook.run(
        "def causal_mask(size, device=None):\n"
        "    return torch.ones(1, 1, size, size, dtype=torch.bool).tril(1)"
    )
    said = repr(wb.check("causal_mask"))
    assert "Why: Two things are wrong. First: Each position also sees the next one" in said
    assert " Second: The mask is on the CPU" in said
    notebook.run(
        "def split_heads(x, num_heads):\n    return x.view(*x.shape[:2], num_heads, x.size(-1))"
    )
    assert (
        "has only a share, `d_k`. That explains 7 of the 8 checks that fail. If others still fail "
        "once it is fixed, something else is wrong, too." in repr(wb.check("split_heads"))
    )


def test_a_wrong_answer_is_not_saved_and_keeps_the_one_that_was(notebook, tmp_path):
    notebook.run(attention())
    assert wb.check("scaled_dot_product_attention")
    notebook.run(attention(scale="1"))
    assert not wb.check("scaled_dot_product_attention")
    saved = (tmp_path / "my_transformer/scaled_dot_product_attention.py").read_text()
    assert "d_k ** 0.5" in saved


def test_a_blank_left_open_is_named(notebook):
    notebook.run(attention(weights="____").replace("query @ key.mT", "____"))
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "blank" in said and "scores = ____ / d_k ** 0.5" in said
    assert 'wb.hint("scores")' in said


def test_the_built_in_that_is_the_exercise_is_refused(notebook):
    notebook.run(
        "def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):\n"
        "    return F.scaled_dot_product_attention(query, key, value, mask), None\n"
    )
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "write it yourself" in said
    notebook.run("F.scaled_dot_product_attention(*[torch.ones(1, 2, 2)] * 3)")  # usable again


def test_what_one_component_builds_another_may_take_from_torch(notebook):
    notebook.run(
        "class SublayerConnection(nn.Module):\n"
        "    def __init__(self, d_model, dropout=0.1, norm_first=False):\n"
        "        super().__init__()\n"
        "        self.norm, self.drop = nn.LayerNorm(d_model), nn.Dropout(dropout)\n"
        "        self.norm_first = norm_first\n"
        "    def forward(self, x, sublayer):\n"
        "        if self.norm_first:\n"
        "            return x + self.drop(sublayer(self.norm(x)))\n"
        "        return self.norm(x + self.drop(sublayer(x)))\n"
        "class LayerNorm(nn.LayerNorm):\n"
        "    pass\n"
    )
    assert wb.check("SublayerConnection")
    assert "write it yourself" in repr(wb.check("LayerNorm"))


def test_a_cell_that_did_not_run_is_not_taken_for_the_one_before_it(notebook, tmp_path):
    notebook.run(attention())
    broken = "def scaled_dot_product_attention(query:\n"
    notebook.names["In"] = ["", attention(), broken]
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "did not run to its end" in said
    assert not (tmp_path / "my_transformer").exists()
    notebook.names["In"].append(attention())
    assert "did not run" not in repr(wb.check("scaled_dot_product_attention"))


def test_a_cell_of_comments_alone_is_told_to_be_that(notebook):
    commented = "".join(f"# {line}\n" for line in attention().splitlines())
    notebook.names["In"] = ["", commented]
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "All lines of scaled_dot_product_attention are comments" in said


def test_components_that_are_not_there_yet_are_stand_ins_during_a_check(notebook):
    notebook.run(
        "class SublayerConnection(nn.Module):\n"
        "    def __init__(self, d_model, dropout=0.1, norm_first=False):\n"
        "        super().__init__()\n"
        "        self.norm, self.norm_first = LayerNorm(d_model), norm_first\n"
        "        self.dropout = nn.Dropout(dropout)\n"
        "    def forward(self, x, sublayer):\n"
        "        update = self.dropout(sublayer(self.norm(x) if self.norm_first else x))\n"
        "        return x + update if self.norm_first else self.norm(x + update)\n"
    )
    assert "LayerNorm" not in notebook.names
    assert wb.check("SublayerConnection")
    assert "LayerNorm" not in notebook.names


def test_a_component_that_is_not_there_says_what_to_do(notebook):
    assert "Run the cell that defines it" in repr(wb.check("scaled_dot_product_attention"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [("scaled_dot_attention", "scaled_dot_product_attention"), (3, "takes the name")],
)
def test_a_name_that_does_not_exist_gets_a_sentence(notebook, asked, said):
    outcome = wb.check(asked)
    assert not outcome
    assert said in repr(outcome) and said in outcome._repr_html_()


def test_a_check_takes_less_than_half_a_second(notebook):
    """By the processor's clock: a busy machine does not make the check slow."""
    notebook.run(attention())
    wb.check("scaled_dot_product_attention")  # what is loaded once
    start = time.process_time()
    wb.check("scaled_dot_product_attention")
    assert time.process_time() - start < 0.5


def test_calls_that_lack_a_name_or_have_another_are_answered_with_the_right_one(notebook):
    assert 'wb.check("split_heads")' in repr(wb.check())
    assert "Did you mean LayerNorm?" in repr(wb.check("layernrom"))
    assert "There are: split_heads, merge_heads" in repr(wb.check("Foo"))
    assert "blanks of LayerNorm are: gamma, mean" in repr(wb.hint("LayerNorm"))
    assert wb.progress("LayerNorm") is not None
    with pytest.raises(LookupError, match="There are: split_heads"):
        wb.use("Foo")
    with pytest.raises(LookupError, match="Name what you want to use"):
        wb.use()


def test_other_components_are_replaced_while_one_is_checked(notebook):
    """A broken split_heads does not spoil merge_heads, and is itself untouched afterwards."""
    notebook.run("def split_heads(x, num_heads):\n    return None\n")
    notebook.run(
        "def merge_heads(x):\n"
        "    assert split_heads(torch.zeros(1, 2, 4), 2).shape == (1, 2, 2, 2)\n"
        "    return x.transpose(1, 2).flatten(2)\n"
    )
    broken = notebook.names["split_heads"]
    assert wb.check("merge_heads")
    assert notebook.names["split_heads"] is broken


def test_a_failed_check_fails_nbgraders_validation(notebook, monkeypatch):
    notebook.run(attention(scale="1"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    with pytest.raises(AssertionError, match="without being scaled"):
        wb.check("scaled_dot_product_attention")


def test_an_untouched_bug_hunt_is_told_what_came_and_nothing_of_its_bugs(notebook):
    wb.start("00-warm-up")
    released = COURSE.lesson("00-warm-up").components["bug_hunt_1"].released
    notebook.run(released.replace("    words", "    # where is the bug?\n    words"))
    said = repr(wb.check("bug_hunt_1"))
    assert said.startswith("✗") and "returned" in said and "expected" in said
    assert "its bugs are yours to find" in said and 'wb.hint("bug_hunt_1")' in said
    assert "Why:" not in said
    notebook.run(released.replace("reshape", "view"))
    said = repr(wb.check("bug_hunt_1"))
    assert "its bugs are yours to find" not in said and "is fixed" not in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("real.size(1)", "real.sum(dim=1, keepdim=True)"),
        ("total / count", "total / real.sum(1).unsqueeze(1)"),
        ("x.reshape(*real.shape, -1)", "x.swapaxes(0, 1)"),
    ],
)
def test_who_has_fixed_one_bug_is_not_told_the_other(notebook, old, new):
    wb.start("00-warm-up")
    released = COURSE.lesson("00-warm-up").components["bug_hunt_1"].released
    notebook.run(half_fixed := released.replace(old, new))
    said = repr(wb.check("bug_hunt_1"))
    assert said.startswith("✗") and "returned" in said and 'wb.hint("bug_hunt_1")' in said
    assert "One bug is fixed. What is still wrong in sentence_means came with it" in said
    assert "Why:" not in said
    # A line that was changed, and is as wrong as before, is explained.
    notebook.run(half_fixed.replace("reshape", "view").replace("real.size(1)", "real.shape[1]"))
    assert "Why:" in repr(wb.check("bug_hunt_1"))


@pytest.mark.parametrize("times", [0, 30])
def test_of_what_the_code_prints_the_first_lines_are_shown(notebook, capsys, times):
    """A check calls it many times, and the report should not be far below."""
    wb.start("00-warm-up")
    notebook.run(
        f"def split_heads(x, num_heads):\n    for _ in range({times}):\n        print('here', 1)"
    )
    capsys.readouterr()
    assert not wb.check("split_heads")
    said = capsys.readouterr().out.splitlines()
    printed = [line for line in said if line.startswith("here ")]
    assert len(printed) == (first_lines.MOST if times else 0)
    assert ("lines that your code printed are left out" in " ".join(said)) is bool(times)


@pytest.mark.parametrize(
    ("component", "old", "new", "told"),
    [
        ("FusedLabelSmoothing", "log_probs.gather(1, target.unsqueeze(1)).squeeze(1)",
         "(log_probs * F.one_hot(target, log_probs.size(1))).sum(dim=1)", "table"),
        ("cached_greedy_decode", "(token == eos_id)",
         "(token == eos_id) | (token == model.pad_id)", "has written padding counts as ended"),
    ],
)  # fmt: skip
def test_what_lessons_12_and_13_do_not_ask_for_is_told(notebook, component, old, new, told):
    lesson = next(lesson for lesson in COURSE.lessons if component in lesson.components)
    notebook.run(lesson.setup + "\nfrom transformer.cached_decoding import CachedDecoder\n")
    source = lesson.components[component].source
    changed = source.replace(old, new)
    assert changed != source
    notebook.run(changed)
    assert told in repr(wb.check(component))


def test_stop_ends_a_check_at_once_and_leaves_the_notebook_as_it_was(notebook):
    notebook.run(
        "calls = []\ndef merge_heads(x):\n    calls.append(x)\n    raise KeyboardInterrupt\n"
    )
    before = dict(notebook.names)
    with pytest.raises(KeyboardInterrupt):
        wb.check("merge_heads")
    assert len(notebook.names["calls"]) == 1 and notebook.names == before
