"""Counts the mutants that no test fails, and tells which of them are faults."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from autograder.authoring.mutants.edit import Edit
from autograder.language import _
from autograder.lesson.lesson import EQUIVALENT

from .equivalents import Equivalent
from .trials import TrialResult


@dataclass
class Tally:
    """What became of a lesson's mutants.

    `lose` of them lose points in the hidden tests, `red` of them fail the check. Without an entry
    in equivalent.toml, `survivors` pass the hidden tests under some secret, and `green` ones lose
    points though the check passes.
    """

    made: int = 0
    tried: int = 0
    lose: int = 0
    red: int = 0
    equivalent: int = 0
    survivors: list[Edit] = field(default_factory=list)
    green: list[Edit] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def survival(
    made: Sequence[Edit],
    equivalents: Iterable[Equivalent],
    most: int | None,
    secrets: Sequence[str],
    results_of: Callable[[Sequence[Edit], str], list[TrialResult]],
) -> Tally:
    """Try the mutants, all or the first `most` in the order of a hash, and count.

    `results_of` tries them under one of the secrets. A mutant that fails most hidden cases under
    the first secret is not tried under the others: its result does not depend on the draw.
    """
    tried = sorted(made, key=lambda mutant: mutant.key)[:most]
    first = dict(zip(tried, results_of(tried, secrets[0]), strict=True))
    kills = {mutant: int(result.fails_hidden) for mutant, result in first.items()}
    unclear = [mutant for mutant, result in first.items() if not result.is_clear]
    for secret in secrets[1:]:
        for mutant, result in zip(unclear, results_of(unclear, secret), strict=True):
            kills[mutant] += result.fails_hidden
    trials = {mutant: 1 if result.is_clear else len(secrets) for mutant, result in first.items()}

    passing = {mutant for mutant in tried if not kills[mutant] and not first[mutant].fails_visible}
    tally = Tally(len(made), len(tried))
    equivalent, never_killed = _listed(made, equivalents, set(tried), passing, tally)
    for mutant in made:
        if mutant not in first:
            continue
        fails_visible = first[mutant].fails_visible
        name = f"{mutant.component}: {mutant.change} [{mutant.family}]"
        tally.lose += kills[mutant] > 0
        tally.red += fails_visible
        if mutant in equivalent:
            tally.equivalent += 1
        elif mutant in never_killed:
            message = _("{name} is listed in {file}, and the check fails it")
            if kills[mutant]:
                message = _("{name} is listed in {file}, and a hidden test fails it")
            tally.faults.append(message.format(name=name, file=EQUIVALENT))
        elif kills[mutant] < trials[mutant]:
            tally.survivors.append(mutant)
            message = _("{name} survives the hidden tests")
            if kills[mutant]:
                message = _("{name} survives the hidden tests under {count} of {all} secrets")
            elif fails_visible:
                message = _("{name} survives the hidden tests, though the check fails it")
            count = trials[mutant] - kills[mutant]
            tally.faults.append(message.format(name=name, count=count, all=trials[mutant]))
        if kills[mutant] and not fails_visible:
            tally.green.append(mutant)
            tally.faults.append(_("{name} loses points and its check is green").format(name=name))
    return tally


def _listed(
    made: Sequence[Edit],
    equivalents: Iterable[Equivalent],
    tried: set[Edit],
    passing: set[Edit],
    tally: Tally,
) -> tuple[set[Edit], set[Edit]]:
    """The `passing` mutants that entries name, and all that they name by a kind of change.

    Two faults are added to `tally`: an entry that names no mutant, and one that names a kind of
    change of which no mutant behaves like the reference.
    """
    equivalent, never_killed = set(), set()
    for entry in equivalents:
        for part in entry.parts:
            named = {mutant for mutant in made if entry.fits(part, mutant)}
            equivalent |= named & passing
            where = _("{component}: {file} lists {entry}").format(
                component=entry.component, file=EQUIVALENT, entry=entry.quote(part)
            )
            if not named:
                tally.faults.append(_("{where}, which is no mutant").format(where=where))
            elif entry.changes:
                never_killed |= named
            elif named <= tried and not named & passing:
                tally.faults.append(_("{where}, and the tests see all of it").format(where=where))
    return equivalent, never_killed
