"""Turns findings into sentences for learners."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..shared.evidence import Failure
from ..shared.language import N_, _, ngettext
from ..shared.obligations import RANDOM, SEED
from ..shared.syntax import code_of
from ..shared.words import Words, phrase
from . import crashes
from .compare import Finding
from .grids import SMALL

# By the last word of Finding.kind. A noun phrase of `words` stands for {name}, in the singular.
_FINDINGS = {
    "shape": N_("{name} has the shape {actual}; expected {expected}."),
    "dtype": N_("{name} is of dtype {actual}; expected {expected}."),
    "not_a_tensor": N_("{name} should be a tensor, but is {actual}."),
    "tensor_for_value": N_("{name} is a tensor; expected a plain {expected}."),
    "type": N_("{name} should be a plain number ({expected}), but is {actual}."),
    "no_value": N_("{name} was not returned; expected {expected}."),
    "not_learned": N_("There is no {argument} among the parameters that learn."),
    "no_output": N_("{name} cannot be computed: the result is not a tensor."),
    "no_gradient": N_(
        "{name} is 0 everywhere: no gradient comes through. Either the result does not depend on "
        "it, or something cuts it off: detach, .item(), a tensor built of plain numbers."
    ),
    "names_missing": N_("{name} lacks {missing}."),
    "names_extra": N_("{name} should not hold {extra}."),
    "names_other": N_("{name} lacks {missing}; it has {extra} instead."),
    "not_finite": N_("{name}{at} is {actual}; it should be a finite number ({expected})."),
    "not_zero": N_("{name}{at} is {actual}; it should be exactly 0."),
    "differs": N_("{name}{at} is {actual}; expected {expected} ({wrong} of {of} numbers differ)."),
    "number": N_("{name} is {actual}; expected {expected}."),
    "not_same": N_("{name} should equal {other}, and does not."),
    "not_differs": N_("{name} should differ from {other}, and is the same."),
    "value": N_("{name} is {actual}; expected {expected}."),
    "not_between": N_("{name} is {actual}; it should lie between {low} and {high}."),
    "inputs_changed": N_(
        "What was passed as {actual} was changed in place. Work on a new tensor instead: the "
        "caller still needs it."
    ),
    "modes_changed": N_(
        "A module ({actual}), or a part of it, was left in a different mode, train or eval, from "
        "the one it was in before. It should have the same mode at the end."
    ),
    "weights_changed": N_(
        "The weights of {actual} were changed, frozen or added to. This call should leave them as "
        "they are."
    ),
    "shares_weights": N_(
        "Two modules that were made one after the other have a weight in common. Make parameters "
        "and layers in __init__, so that each module has its own."
    ),
    "state_changed": N_(
        "Besides returning its result, the call left a setting of torch changed: {actual}. Set it "
        "back, or set it in a `with` block, which does so for you."
    ),
    "as_before": N_(
        "An earlier call, with different numbers, had exactly the same result. Is something kept "
        "from one call to the next, or does what is passed have no effect?"
    ),
    "mode_matters": N_(
        "Where nothing is to be dropped, the result in training still differs from the one in "
        "evaluation. Is the rate of dropout another one, or does something else ask for the mode?"
    ),
}

_NOT_FINITE = N_(
    "That comes, for example, from too large a number in exp, a logarithm of 0, a division by 0, "
    "0 times infinity, the root of a negative number."
)

# By what was changed, where that is no setting.
_STATES = {
    RANDOM: N_(
        "Besides returning its result, the call drew random numbers, or set their seed. Nothing "
        "should be random in that call: dropout, for example, must not act in it."
    ),
    SEED: N_(
        "Modules that are made under different seeds get the same random numbers: making one sets "
        "the seed. Leave the seed to the code that makes the module."
    ),
}

# By Failure.kind.
_FAILURES = {
    "exception": N_("{type}: {message}{in_line}{suggested}"),
    "blank": N_("A blank is still empty: {blank}{in_line}"),
    "forbidden": N_(
        "Your code calls {message}. That is exactly what you are building here: write it yourself."
    ),
    "missing": N_(
        "Nothing called {component} is defined. Run the cell that defines it, and keep its name."
    ),
    "unnamed": N_(
        "Your {type} has no attribute `{message}`, a name that other code relies on.{suggested}"
    ),
    "timeout": N_(
        "It did not finish: {message}. Look for what takes so long, such as a loop that never "
        "stops{in_line}"
    ),
    "out_of_memory": N_(
        "It needed more memory than there is. Look at the shapes of what is built{in_line}"
    ),
    "died": N_("Python itself stopped while this ran: {message}."),
}


def explain(
    finding: Finding,
    component: str,
    blanks: dict[str, str] | None = None,
    advise: bool = True,
    words: Words | None = None,
) -> str:
    """One finding as a sentence; with `advise`, a crash is followed by advice on its cause.

    `blanks` maps the component's blanks to their lines as released, in the order of the code.
    `words` are those of the probe that found it; see `wording_of`.
    """
    group, _dot, key = finding.kind.rpartition(".")
    if group == "failure":
        return _explain_failure(Failure(**finding.details), component, blanks or {}, advise)
    words = words or {}
    place = finding.details.get("place")
    details = {"at": _(" at {place}").format(place=place) if place else "", **finding.details}
    if "other" in details:
        details["other"] = phrase(details["other"], words).noun or details["other"]
    if key in ("not_a_tensor", "type"):  # probes write "<tuple>" for what is no plain value
        kind = re.fullmatch("<(.+)>", details["actual"])
        details["actual"] = _("of type {type}").format(type=kind[1]) if kind else details["actual"]
    phrasing = phrase(finding.name, words)
    sentence = _FINDINGS["number" if key == "differs" and details["of"] == 1 else key]
    if key == "state_changed":
        sentence = _STATES.get(details["actual"], sentence)
    if key in _PHRASED_BY_PROBE:
        sentence = phrasing.sentence(details.get("actual", "")) or sentence
    elif key in ("no_value", "not_learned") and phrasing.missing:
        sentence = phrasing.missing
    names = {"name": phrasing.noun or finding.name, "argument": finding.name.removesuffix(".grad")}
    # A sentence may ask for what this kind of finding does not have, such as bounds.
    sentence = _(sentence).format_map(defaultdict(str, {**names, **details}))
    sentence = sentence[:1].upper() + sentence[1:] if phrasing.noun else sentence
    if key in ("not_finite", "not_zero") and details["of"] >= SMALL:
        sentence += " " + _("In all, {wrong} of {of} numbers are wrong.").format(**details)
    advice = phrasing.is_result and crashes.advice_on_value(finding, component)
    advice = _(_NOT_FINITE) if key == "not_finite" else advice
    return f"{sentence} {advice}" if advise and advice else sentence


# The kinds of findings for which a probe's own sentence is better than the general one.
_PHRASED_BY_PROBE = (
    *("value", "number", "names_missing", "names_extra", "names_other"),
    *("not_between", "not_same", "not_differs"),
)


def _explain_failure(failure: Failure, component: str, blanks: dict[str, str], advise: bool) -> str:
    line = failure.line and _(", in the line `{line}`{blank}.").format(
        line=failure.line.strip(), blank=_blank_at_fault(failure, blanks) if advise else ""
    )
    suggested = ""
    if failure.suggestion:
        suggested = (
            _(" It has `{suggestion}`: was that meant?")
            if failure.kind == "unnamed"
            else _(" Did you mean {suggestion}?")
        ).format(suggestion=failure.suggestion)
    names = open_blanks(failure.line, blanks) if failure.kind == "blank" else []
    sentence = _(_FAILURES[failure.kind]).format(
        type=failure.type,
        message=_brief(failure.message),
        component=component,
        blank=", ".join(names),
        in_line=line or ".",
        suggested=suggested,
    )
    is_exception = failure.kind == "exception"
    got = failure.names if is_exception else ""
    parts = [sentence, got and _("The line got {names}.").format(names=failure.names)]
    if advise and is_exception:
        parts.append(crashes.advice(failure, component))
    return " ".join(filter(None, parts))


_ALL_THAT_IT_TAKES = re.compile(r",\sbut\sexpected\sone\sof:.*", re.DOTALL)  # as torch lists it


def _brief(message: str) -> str:
    return _ALL_THAT_IT_TAKES.sub("", message).rstrip(".")


def _blank_at_fault(failure: Failure, blanks: dict[str, str]) -> str:
    """The blank to look at, as " (the blank scores)"; empty if the line has none."""
    names = blanks_at_fault(failure, blanks) if failure.kind == "exception" else []
    if not names:
        return ""
    words = ngettext(" (look at the blank {names})", " (look at the blanks {names})", len(names))
    return words.format(names=", ".join(names))


def open_blanks(line: str, blanks: dict[str, str]) -> list[str]:
    """The blanks that are still open in a line of the student's, which may be partly filled.

    `blanks` maps each blank to its line as released, in the order of the code.
    """
    for fillings in _readings(line, blanks):
        still_open = [name for name, filling in fillings.items() if "____" in filling]
        if still_open:
            return still_open
    left = line.strip().partition("=")[0]
    return [name for name, text in blanks.items() if text.partition("=")[0] == left and left]


def blanks_left_open(source: str, blanks: dict[str, str]) -> list[str]:
    """The blanks that are still open in a whole source; `blanks` is that of `open_blanks`."""
    lines = (line for line in source.splitlines() if "____" in line)
    return [*dict.fromkeys(name for line in lines for name in open_blanks(line, blanks))]


def blanks_at_fault(failure: Failure, blanks: dict[str, str]) -> list[str]:
    """The blanks that caused an exception; none if the failing line holds no blank.

    `blanks` is that of `open_blanks`. These are the blanks of the failing line; or, if it failed
    because of a name's type, the blank before it that the name was assigned from.
    """
    names = list(blanks)
    in_line = [name for name in _named(failure.line) if name in blanks]
    before = names[: names.index(in_line[0])] if in_line else names
    for name in crashes.culprits(failure):
        origin = [blank for blank in before if name in _assigned(blanks[blank])]
        if origin:
            return origin
    if in_line:
        return in_line
    for fillings in _readings(failure.line, blanks):
        # A blank that is a whole line matches any line: leave out those that cannot fill it.
        is_line = any(code_of(blanks[name]) == "____" for name in fillings)
        is_unlikely = is_line and _NO_FILLING.match(failure.line)
        if not (is_unlikely or _may_be_of_others(fillings, blanks)):
            return list(fillings)
    return _blanks_of_left_side(failure.line, blanks)


def blanks_in_place(source: str, blanks: dict[str, str]) -> dict[str, str]:
    """The blanks that lines of a student's source can be told to fill.

    Where several released lines assign a name and the source has more that do, the second line of
    one value would be taken for the next blank: these blanks are left out. `blanks` is that of
    `open_blanks`.
    """
    lines = [code_of(line) for line in source.splitlines()]

    def is_in_place(names: list[str]) -> bool:
        released = len(set(_assigning(names, blanks.values())))
        return released < 2 or len(_assigning(names, lines)) <= released

    return {blank: text for blank, text in blanks.items() if is_in_place(_assigned(text))}


def _may_be_of_others(fillings: dict[str, str], blanks: dict[str, str]) -> bool:
    """Whether a line that seems to fill a blank may stand in place of another released line.

    A blank that is a whole value takes whatever is assigned to its name. If other lines assign the
    name, too, this is the blank's only where it changes the name's earlier value.
    """
    blank, filling = next(iter(fillings.items()))
    names = _assigned(blanks[blank])
    is_value = code_of(blanks[blank]) == f"{', '.join(names)} = ____"
    reads_it = any(re.search(rf"(?<![\w.]){re.escape(name)}\b", filling) for name in names)
    return is_value and not reads_it and len(set(_assigning(names, blanks.values()))) > 1


def _blanks_of_left_side(line: str, blanks: dict[str, str]) -> list[str]:
    """The blanks of the released line that assigns the same names; none if several lines do."""
    left = line.strip().partition("=")[0]
    same_left = {name: text for name, text in blanks.items() if text.partition("=")[0] == left}
    return list(same_left) if left and len(set(same_left.values())) == 1 else []


def _assigned(line: str) -> list[str]:
    """The names on the left side of a line such as "heads, weights = ____"."""
    left, equals, _right = line.partition(" = ")
    return left.strip().split(", ") if equals else []


def _assigning(names: list[str], lines: Iterable[str]) -> list[str]:
    """The lines with just these names, one at least, on their left side."""
    return [line for line in lines if names and _assigned(line) == names]


def _named(line: str) -> list[str]:
    """The blanks that the comment of a released line names, if a student has left it there."""
    comment = re.search(r"\bblanks?: ([\w, ]+)", line.partition("#")[2])
    return re.findall(r"\w+", comment[1]) if comment else []


_NO_FILLING = re.compile(r"\s*(return|if|for|while|with|def|class|raise|super\(|[\w, .]+=[^=])")


def _readings(line: str, blanks: dict[str, str]) -> Iterator[dict[str, str]]:
    """The fillings of the blanks in a line, by blank; for each released line that it may be."""
    # A blank that is a whole line matches any line, so the shortest code is tried last.
    for released in sorted(set(blanks.values()), key=lambda text: (-len(code_of(text)), text)):
        names = [name for name, text in blanks.items() if text == released]
        pattern = "(.+?)".join(re.escape(piece) for piece in code_of(released).split("____"))
        match = re.fullmatch(pattern, code_of(line))
        if match:
            yield dict(zip(names, match.groups(), strict=False))


SHORT = 12  # whole numbers that are shown in full


def describe_call(component: str, inputs: dict[str, Any], arguments: Collection[str]) -> str:
    """The call that a case makes, with shapes for tensors: `attend(query (2, 3, 4), ...)`.

    Shows those inputs that are `arguments` of the component, or numbered parts of one, as
    `sentence_1` is of `sentences`; the probe itself uses the others. Few whole numbers are shown.
    Where the probe makes all arguments itself, three dots stand for them.
    """
    passed: dict[str, str] = {}
    parts = defaultdict[str, list[str]](list)
    for name, value in inputs.items():
        part, _point, number = name.rpartition("_")
        whole = f"{part}s"
        if name in arguments:
            passed[name] = f"{name} {_shape(value)}"
        elif whole in arguments and number.isdigit():
            parts[whole].append(_shape(value).removeprefix("= "))
            passed[whole] = f"{whole} = [{', '.join(parts[whole])}]"
    unknown = "..." if arguments else ""
    return f"{component}({', '.join(passed.values()) or unknown})"


def _shape(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is None:
        return f"= {value}"
    if len(shape) == 1 and shape[0] <= SHORT and not value.is_floating_point():
        return f"= {value.tolist()}"
    return str(tuple(shape))
