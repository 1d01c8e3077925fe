"""What students are told when their code raises: the line, its blank, what it got, and why."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from right_answers import attention

import transformer_workbook as wb
from transformer_workbook.checks import session
from transformer_workbook.diagnosis import crashes
from transformer_workbook.diagnosis.crashes import advice
from transformer_workbook.diagnosis.finding_sentences import blanks_at_fault
from transformer_workbook.shared.evidence import Failure
from transformer_workbook.shared.names_in_line import names_in

SPLIT = """
def split_heads(x, num_heads):
    d_k = x.size(-1) // num_heads
    cut = {cut}
    heads = cut.transpose(1, 2)
    return heads
"""
BOTH = """
def target_mask(ids, pad_id):
    mask = {both}
    return mask
"""
PADDING = """
def padding_mask(ids, pad_id):
    real = ids != pad_id
    mask = real.unsqueeze(1).unsqueeze(1)
"""


LAYER = (
    "nn.Softmax makes a layer: its parentheses take settings, and it returns no tensor yet. Make "
    "the layer first and then call it on the tensor, or use the function from F that does the "
    "same."
)
TENSORS = "query: Tensor (2, 3, 4) float32; key: Tensor (2, 5, 4) float32; d_k: int"


@pytest.mark.parametrize(
    ("component", "source", "sentence", "hint"),
    [
        (
            "padding_mask",
            PADDING,
            "The mask should be a tensor, but is None. padding_mask returned None: does every "
            "path through it end with a `return` of the result?",
            'wb.hint("axes")',
        ),
        (
            "scaled_dot_product_attention",
            attention().replace("return output, weights", "pass"),
            "TypeError: cannot unpack non-iterable NoneType object. scaled_dot_product_attention "
            "returned None: does every path through it end with a `return` of the result?",
            'wb.hint("scores")',
        ),
        (
            "scaled_dot_product_attention",
            attention(masked="scores.masked_fill(not mask, -1e9)"),
            "RuntimeError: Boolean value of Tensor with more than one value is ambiguous, in the "
            "line `scores = scores.masked_fill(not mask, -1e9)` (look at the blank masked). The "
            "line got scores: Tensor (2, 3, 5) float32; mask: Tensor (2, 3, 5) bool. `not` needs "
            "a single truth value, but was given a whole tensor. The operator ~ swaps True and "
            "False entry by entry.",
            'wb.hint("masked")',
        ),
        (
            "scaled_dot_product_attention",
            attention(scores="query @ key.T / math.sqrt(d_k)"),
            "RuntimeError: The size of tensor a (2) must match the size of tensor b (4) at "
            "non-singleton dimension 0, in the line `scores = query @ key.T / math.sqrt(d_k)` (look"
            f" at the blanks scores, scale). The line got {TENSORS}. `.T` reverses the order of all"
            " axes, those of the batch and of the heads too. Swap only the two axes that you mean.",
            'wb.hint("scores"), wb.hint("scale")',
        ),
        (
            "scaled_dot_product_attention",
            attention(weights="nn.Softmax(scores)"),
            "TypeError: unsupported operand type(s) for @: 'Softmax' and 'Tensor', in the line "
            "`output = weights @ value` (look at the blank weights). The line got weights: "
            f"Softmax; value: Tensor (2, 5, 6) float32. {LAYER}",
            'wb.hint("weights")',
        ),
        (
            "scaled_dot_product_attention",
            attention(scores="query @ key.reshape(N, D, T) / d_k"),
            "NameError: name 'N' is not defined, in the line `scores = query @ key.reshape(N, D, "
            f"T) / d_k` (look at the blanks scores, scale). The line got {TENSORS}. `N` is a letter"
            " of the shape comments, not a variable here. Take the size from a tensor, with .shape "
            "or .size(), or from an argument or attribute that holds it.",
            'wb.hint("scores"), wb.hint("scale")',
        ),
        (
            "split_heads",
            SPLIT.format(cut="x.split(num_heads)"),
            "AttributeError: 'tuple' object has no attribute 'transpose', in the line `heads = "
            "cut.transpose(1, 2)` (look at the blank cut). The line got cut: tuple (1). A tuple "
            "stands where one tensor is expected. split, chunk and unbind return a tuple of "
            "pieces, and some functions return several results: unpack them first.",
            'wb.hint("cut")',
        ),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_crash_is_explained_where_it_is_and_leads_to_its_own_blank(
    notebook, component, source, sentence, hint
):
    notebook.run(source)
    said = repr(wb.check(component)).splitlines()
    verb = "returned" if sentence.startswith("The mask") else "raised"
    assert f"  {verb}: {sentence}" in said
    assert next(line for line in said if "Stuck" in line).startswith(
        f"Stuck? Ask for a hint: {hint}"
    )


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ("output", "The matrix of attention weights was not returned; expected a tensor."),
        ("dict(output=output)", "The output should be a tensor, but is of type dict."),
        ("output.tolist(), weights", "The output should be a tensor, but is of type list."),
        ("output, None", "The matrix of attention weights should be a tensor, but is None."),
    ],
)
def test_what_is_returned_in_place_of_two_results_is_not_taken_apart(notebook, returned, says):
    """Unpacked, a tensor falls into its batch, a dict into its keys."""
    notebook.run(attention().replace("return output, weights", f"return {returned}"))
    said = repr(wb.check("scaled_dot_product_attention")).splitlines()
    called = (
        "  called: scaled_dot_product_attention(query (2, 3, 4), key (2, 5, 4), value (2, 5, 6)"
    )
    assert any(line.startswith(called) for line in said)
    assert f"  returned: {says}" in said


@pytest.mark.parametrize(
    ("type", "message", "line", "says"),
    [
        (
            "AttributeError",
            "'tuple' object has no attribute 'view'",
            "cut = x.split(d_k).view(2, 3)",
            "split returns a tuple of pieces, not one tensor; and the number that split takes",
        ),
        (
            "AttributeError",
            "'builtin_function_or_method' object has no attribute 'transpose'",
            "heads = cut.transpose(1, 2)",
            "A function stands where a tensor is expected. A method that is not called,",
        ),
        (
            "TypeError",
            "unsupported operand type(s) for +: 'Tensor' and 'list'",
            "mask = padding_mask(ids, pad_id) + [causal_mask(ids.size(1))]",
            "`+` does not work between Tensor and list: one of the two is not",
        ),
        (
            "RuntimeError",
            "Boolean value of Tensor with more than one value is ambiguous",
            "scores = scores * (mask or 1)",
            "`or` needs single truth values, but was given a whole tensor.",
        ),
        (
            "NotImplementedError",
            "\"bitwise_and_cpu\" not implemented for 'Float'",
            "mask = padding_mask(ids, pad_id).float() & causal_mask(ids.size(1))",
            "`&` works on boolean tensors, and was given floating-point numbers.",
        ),
        (
            "ValueError",
            "not enough values to unpack (expected 3, got 2)",
            "batch, length, width = x.shape",
            "The tensor has more or fewer axes there than the line has names.",
        ),
        (
            "ValueError",
            "too many values to unpack (expected 2)",
            "mean, deviation = statistics(x)",
            "That line unpacks a different number of results than there are.",
        ),
        (
            "IndexError",
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
            "weights = F.softmax(scores, dim=2)",
            "The tensor has fewer axes than that.",
        ),
        (
            "IndexError",
            "index out of range in self",
            "words = self.embedding(ids)",
            "An index points beyond the entries there.",
        ),
        (
            "RuntimeError",
            "output with shape [1, 1, 3, 3] doesn't match the broadcast shape [2, 1, 3, 3]",
            "both &= padding_mask(ids, pad_id)",
            "The result does not fit into the tensor that it is written into",
        ),
        (
            "RuntimeError",
            "\"bitwise_xor_cpu\" not implemented for 'Float'",
            "rate = 10000 ^ (-even_feature / d_model)",
            "`^` is not a power in Python",
        ),
        (
            "AttributeError",
            "'Sequential' object has no attribute 'gamma'",
            "fast.append(FusedLayerNorm(child))",
            "`gamma` does not stand in this line: something that is called there looks for it in a "
            "`Sequential`",
        ),
        (
            "TypeError",
            "arange() received an invalid combination of arguments - got (Tensor, NoneType), but "
            "expected one of: * (Number end, *, torch.dtype dtype = None)",
            "return padding_mask(ids, pad_id) & causal_mask(ids)",
            "`arange` does not stand in this line: something that stands there calls it,",
        ),
        (
            "TypeError",
            "arange() received an invalid combination of arguments - got (Tensor)",
            "place = torch.arange(ids)",
            "A function was given arguments that it does not take.",
        ),
        (
            "RuntimeError",
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
            "cut = x.numpy()",
            "Stay with tensors",
        ),
    ],
)
def test_advice_speaks_of_what_the_line_does(type, message, line, says):
    assert advice(Failure("exception", type, message, line), "f").startswith(says)


def test_torchs_list_of_all_that_a_function_takes_is_left_out(notebook):
    wb.start("06-masks")
    notebook.run(BOTH.format(both="padding_mask(ids, pad_id) & causal_mask(ids)"))
    said = repr(wb.check("target_mask"))
    assert "received an invalid combination of arguments - got (" in said
    assert "expected one of" not in said and "Something there is None" not in said


def test_arguments_with_other_names_are_pointed_out(notebook):
    wb.start("08-full-model")
    notebook.run(
        "class Generator(nn.Module):\n"
        "    def __init__(self, width, words):\n"
        "        super().__init__()\n"
        "        self.proj = nn.Linear(width, words)\n"
    )
    says = "`d_model` is passed by name, as other code does: keep the names of the arguments."
    assert says in repr(wb.check("Generator"))


# The blank at fault.


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("x = self.sublayers[0](x, lambda y: y @ 2)", ["attention"]),
        ("x = self.feed_forward(x)", ["update"]),
        ("    return x + 1", ["result"]),
        ("self.register_buffer(2)", ["buffer"]),
        ("for layer in layers:", []),
        ("y = x + 1", []),
    ],
)
def test_a_line_belongs_to_the_blank_that_it_fills(line, names):
    blanks = {
        "attention": "x = self.sublayers[0](x, lambda y: ____)",
        "update": "x = ____",
        "result": "return ____",
        "buffer": "____",
    }
    assert blanks_at_fault(Failure("exception", line=line), blanks) == names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("scores = query @ key.T", []),
        ("scores = scores_of(query, key)", []),
        ("scores = query @ key.T / d_k", ["scores", "scale"]),
        ("scores = scores.masked_fill(not mask, -1e9)", ["masked"]),
    ],
)
def test_a_blank_that_is_a_whole_value_is_not_blamed_for_that_of_another_line(line, names):
    blanks = {
        "scores": "scores = ____ / ____  # blanks: scores, scale",
        "scale": "scores = ____ / ____  # blanks: scores, scale",
        "masked": "scores = ____  # blank: masked",
    }
    assert blanks_at_fault(Failure("exception", line=line), blanks) == names


@pytest.mark.parametrize(
    "second", ["scores * math.sqrt(dk)", "torch.div(scores, math.sqrt(dk))", "scores / dk"]
)
def test_nor_for_the_second_line_of_another_value(notebook, second):
    two_lines = f"query @ key.mT\n    scores = {second}"
    masked = "scores + torch.where(mask, 0.0, -1e9)"  # which no right answer has
    notebook.run(attention(scores=two_lines, masked=masked))
    said = repr(wb.check("scaled_dot_product_attention"))
    assert "name 'dk' is not defined" in said
    assert "the blank masked" not in said
    assert 'wb.hint("scores")' in said


def test_a_line_that_still_names_its_blank_is_no_other_ones_fault():
    """A variable's later blank has not run yet; an earlier one may have set the wrong type."""
    blanks = {"first": "a, b = ____", "attention": "x = f(x, lambda y: ____)", "last": "x = ____"}
    line = "x = g(lambda y: own(y, a))  # (N, D); blank: attention"
    wrong = Failure("exception", "TypeError", "got a tuple", line, names="x: tuple of 2")
    assert blanks_at_fault(wrong, blanks) == ["attention"]
    assert blanks_at_fault(replace(wrong, names="a: tuple of 2"), blanks) == ["first"]


# What a line got.


class Awkward:
    @property
    def shape(self):
        raise SystemExit

    def __len__(self):
        raise SystemExit


def test_names_are_told_by_type_and_shape_not_by_value():
    values = {"secret": "a secret", "awkward": Awkward(), "nothing": None, "pair": (1, 2)}
    line = "secret + awkward + nothing + pair + len(pair) + unknown if True else sys"
    told = names_in(line, eval("sys._getframe()", {"sys": sys}, values))
    assert told == "secret: str (8); awkward: Awkward; nothing: None; pair: tuple (2)"


def test_what_a_line_got_is_bounded():
    scope = {f"name_{number}" + "x" * 20: number for number in range(50)}
    line = " + ".join(scope)
    frame = eval("sys._getframe()", {"sys": sys}, scope)
    assert len(names_in(line, frame).split("; ")) == 6
    assert names_in("x" * 50, eval("sys._getframe()", {"sys": sys}, {"x" * 50: 1})) == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("scores = x @ key", "x: int; key: str (1)"),
        ("scores, key = f(x, key=1)", "x: int"),
        ("self.scores = x.scores", "x: int"),
        ("x += key", "x: int; key: str (1)"),
        ("scores[x] = key", "scores: list (0); x: int; key: str (1)"),
        ("if x == key:", "x: int; key: str (1)"),
        ("scores = f(lambda key: key + x", "key: str (1); x: int"),
        ("scores, x = f(key=key,", "key: str (1)"),
        ("x = f(key, lambda scores: scores + x)", "key: str (1); x: int"),
    ],
)
def test_a_line_got_the_names_that_it_reads(line, told):
    scope = {"sys": sys, "scores": [], "x": 1, "key": "k"}
    assert names_in(line, eval("sys._getframe()", scope, scope)) == told


def test_a_local_without_a_value_is_not_told_by_the_global_of_its_name():
    scope = {"sys": sys, "x": 1, "key": "k"}
    exec("def f():\n    frame = sys._getframe()\n    return frame\n    x = key\n", scope)
    assert names_in("y = x + key", scope["f"]()) == "key: str (1)"


UNASSIGNED = {
    "local": SPLIT.format(cut="x").replace("    cut = x\n", "    if d_k > 99:\n        cut = x\n"),
    "free": SPLIT.format(cut="x").replace("    cut = x\n", "    if d_k > 99:\n        cut = x\n")
    .replace("cut.transpose(1, 2)", "(lambda: cut.transpose(1, 2))()"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNASSIGNED)
def test_a_name_whose_line_did_not_run_is_told_in_a_check(notebook, kind):
    notebook.run(UNASSIGNED[kind])
    said = repr(wb.check("split_heads"))
    assert "`cut` is assigned in this function, but the line that does so did not run" in said
    assert "nothing defines there" not in said


@pytest.mark.parametrize("kind", UNASSIGNED)
def test_a_name_whose_line_did_not_run_is_told_in_a_cell(notebook, kind, monkeypatch, capsys):
    explained = []
    shell = SimpleNamespace(
        set_custom_exc=lambda _kinds, explain: explained.append(explain),
        showtraceback=lambda *_args, **_keywords: None,
    )
    monkeypatch.setattr(session, "running_shell", lambda: shell)
    session._explain_name_errors()
    notebook.run(UNASSIGNED[kind])
    for call, said in (
        ("split_heads(torch.zeros(1, 2, 4), 2)", "`cut` is assigned in this function, but"),
        ("splitheads", "Nothing called splitheads is defined so far"),
        ("wb.hint(cut)", 'Names go between quotes: wb.hint("cut").'),
    ):
        with pytest.raises(NameError) as raised:
            notebook.run(call)
        explained[0](shell, raised.type, raised.value, raised.tb)
        assert said in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "message",
    [
        "local variable 'split' referenced before assignment",
        "free variable 'split' referenced before assignment in enclosing scope",
        "cannot access local variable 'split' where it is not associated with a value",
    ],
)
def test_the_words_of_every_python_for_such_a_name_are_known(message):
    failure = Failure("exception", "UnboundLocalError", message, "y = x.split(2)")
    assert crashes.advice(failure, "f").startswith("`split` is assigned in this function")
