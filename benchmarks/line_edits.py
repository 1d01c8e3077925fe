"""A text as edits of another one, its base, a line each, written to be read.

  all= mean → mu, var → s              before all others: names of the base, and what they become
   13= y = gamma * ⟨x + b → (x + b)⟩   line 13 of the base changes between ⟨ and ⟩
14-16= ⟨if y: ⏎ z = y ⏎ w = z → w⟩     lines 14 to 16 become one
17-20: w = y.relu()                    lines 17 to 20, which are not shown, become this line
   20+ return w                        a line after line 20
   22- print(w)                        line 22 is left out
"""

import keyword
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

EDIT = re.compile(r" *(?:(\d+)(?:-(\d+)(?!\+))?|all)([=+:-])(?: (.*))?")
CHANGE = re.compile(r"([^⟨]*)⟨([^→]*) → ([^⟩]*)⟩(.*)")
MARKS = frozenset("⟨→⟩⏎")
WIDTH = 7  # of the numbers and the sign
MOST_SHOWN = 160  # characters of several lines that are replaced or left out
LEAST_ALIKE = 0.35  # of lines that are shown with those they replace
MOST_RENAMED = 8
NAME = re.compile(r"[^\W\d]\w*")
TOKEN = re.compile(r"\w+|[<>=!]=|\*\*|//|\W")


class Unfit(ValueError):
    """An edit that does not fit its base; the message says why."""


def edited(base: Sequence[str], edits: Sequence[str]) -> list[str]:
    """The lines that `edits` make of those of the base. Raises Unfit."""
    text: list[str] = []
    done = 0  # lines of the base
    for place, edit in enumerate(edits):
        found = EDIT.fullmatch(edit)
        if not found:
            raise Unfit(f"{edit!r} is no edit")
        sign, says = found[3], found[4] or ""
        if not found[1]:
            if place or sign != "=":
                raise Unfit(f"{edit!r} has to be the first edit")
            base = _renamed(base, _names(says))
            continue
        first, last = int(found[1]), int(found[2] or found[1])
        until = first if sign == "+" else first - 1
        if not (done <= until and first <= last <= len(base)):
            raise Unfit(f"{edit!r} is out of order, or beyond the {len(base)} lines of its base")
        text += base[done:until]
        done = last
        if sign in "+:":
            text.append(says)
        elif sign == "=":
            text.append(_changed(base[until:last], says))
        elif says != _shown(base[until:last]):
            raise Unfit(f"{edit!r} leaves out {_shown(base[until:last])!r}")
    return [*text, *base[done:]]


def in_full(text: Sequence[str]) -> list[str]:
    """The edits that make a text of as many empty lines."""
    return [_edit(number, number, ":", line) for number, line in enumerate(text, 1)]


def nearest(bases: Sequence[Sequence[str]], text: Sequence[str]) -> tuple[int | None, list[str]]:
    """The place of the first base from which a text needs the fewest edits, and these edits.

    None, and the text in full, where that is shorter.
    """
    fewest, best, found = len(text), len(bases), in_full(text)
    for rename in (False, True):
        look = _without_names if rename else list
        wanted = Counter(look(text))
        # No base needs fewer edits than lines that it lacks.
        least = [rename + (wanted - Counter(look(base))).total() for base in bases]
        for place in sorted(range(len(bases)), key=least.__getitem__):
            if least[place] > fewest:
                break
            edits = edits_of(bases[place], text, rename)
            if (len(edits), place) < (fewest, best):
                fewest, best, found = len(edits), place, edits
    return best if best < len(bases) else None, found


def edits_of(base: Sequence[str], text: Sequence[str], rename: bool = False) -> list[str]:
    """The edits that make a text of its base, with the names that are others if `rename`."""
    edits = []
    if rename and (names := _other_names(base, text)):
        base = _renamed(base, names)
        pairs = ", ".join(f"{old} → {new}" for old, new in names.items())
        edits.append(f"{'all=':>{WIDTH}} {pairs}")
    matcher = SequenceMatcher(None, base, text, autojunk=False)
    for what, start, end, first, last in matcher.get_opcodes():
        if what != "equal":
            edits += _of_hunk(start, base[start:end], text[first:last])
    return edits


def _of_hunk(start: int, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Line by line where the lines are alike, the last for all old ones that are left."""
    end = start + len(old)
    if not new:
        yield _edit(start + 1, end, "-", _shown(old))
    if not new or not old:
        yield from (_edit(start, start, "+", line) for line in new)
        return
    pairs = min(len(old), len(new))
    above, alike = _most_alike(old, new)
    if MARKS & {*"".join([*old, *new])} or (pairs > 1 and alike < LEAST_ALIKE):
        yield _edit(start + 1, end, ":", new[0])
        yield from (_edit(end, end, "+", line) for line in new[1:])
        return
    yield from (_edit(start, start, "+", line) for line in new[:above])
    for pair in range(pairs):
        until = pair + 1 if pair < len(new) - 1 else len(old)
        change = _change(old[pair:until], new[above + pair])
        yield _edit(start + pair + 1, start + until, "=", change)
    yield from (_edit(end, end, "+", line) for line in new[above + pairs :])


def _edit(first: int, last: int, sign: str, says: str) -> str:
    numbers = f"{first}" if first == last else f"{first}-{last}"
    return f"{numbers + sign:>{WIDTH}}{says and ' '}{says}"


def _most_alike(old: Sequence[str], new: Sequence[str]) -> tuple[int, float]:
    """How many new lines to put above those that take the place of the old ones.

    And how much of these lines is as it was, from 0 to 1.
    """

    def alike(above: int) -> float:
        pairs = [*zip(old, new[above:], strict=False)]
        shared = sum(len(part.strip()) for pair in pairs for part in _shared(*pair))
        return shared / max(1, sum(max(len(line.strip()) for line in pair) for pair in pairs))

    above = max(range(max(len(new) - len(old), 0) + 1), key=alike)
    return above, alike(above)


def _change(old: Sequence[str], new: str) -> str:
    if len(old) > 1:
        indent = new[: len(new) - len(new.lstrip())]
        return f"{indent}⟨{_shown(old)} → {new.lstrip()}⟩"
    start, end = _shared(old[0], new)
    was, now = (line[len(start) : len(line) - len(end)] for line in (old[0], new))
    return f"{start}⟨{was} → {now}⟩{end}"


def _changed(old: Sequence[str], change: str) -> str:
    found = CHANGE.fullmatch(change)
    if not found:
        raise Unfit(f"{change!r} has to say what changes: ⟨old → new⟩")
    start, was, now, end = found.groups()
    shown = _shown(old) if len(old) > 1 else old[0]
    if shown != (was if len(old) > 1 else start + was + end):
        raise Unfit(f"{change!r} changes {shown!r}")
    return start + now + end


def _shown(lines: Sequence[str]) -> str:
    shown = " ⏎ ".join(line.strip() for line in lines)
    if len(shown) <= MOST_SHOWN:
        return shown
    return f"{shown[: MOST_SHOWN // 2]} … {shown[-MOST_SHOWN // 2 :]}"


def _shared(old: str, new: str) -> tuple[str, str]:
    """The beginning and the end that two lines share, in whole words."""
    was, now = TOKEN.findall(old), TOKEN.findall(new)
    start = _as_far_as_alike(was, now)
    end = _as_far_as_alike(was[len(start) :][::-1], now[len(start) :][::-1])[::-1]
    if not NAME.search("".join(start + end)):
        end = []  # a closing bracket is nothing to share
    return "".join(start), "".join(end)


def _as_far_as_alike(some: list[str], others: list[str]) -> list[str]:
    pairs = zip(some, others, strict=False)
    return [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]


def _without_names(lines: Sequence[str]) -> list[str]:
    def blank(name: re.Match[str]) -> str:
        return name[0] if keyword.iskeyword(name[0]) else "_"

    return [NAME.sub(blank, line) for line in lines]


def _other_names(base: Sequence[str], text: Sequence[str]) -> dict[str, str]:
    """What names of the base are in the text, by the lines that are alike but for names."""
    votes: Counter[tuple[str, str]] = Counter()
    matcher = SequenceMatcher(None, _without_names(base), _without_names(text), autojunk=False)
    for start, first, size in matcher.get_matching_blocks():
        for old, new in zip(base[start : start + size], text[first : first + size], strict=True):
            votes.update(zip(NAME.findall(old), NAME.findall(new), strict=True))
    names: dict[str, str] = {}
    for (old, new), _ in votes.most_common():
        if old not in names and new not in names.values():
            names[old] = new
    others = {old: new for old, new in names.items() if old != new}
    return others if len(others) <= MOST_RENAMED else {}


def _names(says: str) -> dict[str, str]:
    pairs = [pair.partition(" → ") for pair in says.split(", ")]
    names = {old: new for old, _, new in pairs}
    if not all(map(NAME.fullmatch, [*names, *names.values()])):
        raise Unfit(f"{says!r} has to say which names are replaced: old → new")
    return names


def _renamed(lines: Sequence[str], names: dict[str, str]) -> list[str]:
    return [NAME.sub(lambda name: names.get(name[0], name[0]), line) for line in lines]
