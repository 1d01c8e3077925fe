"""Which mutants the tests let live: what is tried, under which secrets, and what is a fault."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from autograder.lesson.lesson import EQUIVALENT

from .equivalents import Equivalent
from .mutants import Mutant
from .trials import Fate


@dataclass
class Tally:
    """What became of a lesson's mutants.

    `lose` points in the hidden tests, and are `red` in the check, so many. What nobody explains:
    `survivors` are not seen by the hidden tests under each secret, `green` ones not by the check.
    """

    made: int = 0
    tried: int = 0
    lose: int = 0
    red: int = 0
    equivalent: int = 0
    survivors: list[Mutant] = field(default_factory=list)
    green: list[Mutant] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def survival(
    made: Sequence[Mutant],
    equivalents: Iterable[Equivalent],
    most: int | None,
    secrets: Sequence[str],
    fates: Callable[[Sequence[Mutant], str], list[Fate]],
) -> Tally:
    """Try the mutants, `most` of them in the order of a hash, or all, and count.

    `fates` tries them under one of the secrets. A mutant that fails most hidden cases under the
    first secret is not tried under the others: what sees it does not hang on the draw.
    """
    tried = sorted(made, key=lambda mutant: mutant.key)[:most]
    first = dict(zip(tried, fates(tried, secrets[0]), strict=True))
    seen = {mutant: int(fate.loses) for mutant, fate in first.items()}
    unclear = [mutant for mutant, fate in first.items() if not fate.is_clear]
    for secret in secrets[1:]:
        for mutant, fate in zip(unclear, fates(unclear, secret), strict=True):
            seen[mutant] += fate.loses
    under = {mutant: 1 if fate.is_clear else len(secrets) for mutant, fate in first.items()}

    alike = {mutant for mutant in tried if not seen[mutant] and not first[mutant].is_red}
    tally = Tally(len(made), len(tried))
    explained, listed = _explained(made, equivalents, set(tried), alike, tally)
    for mutant in made:
        if mutant not in first:
            continue
        is_red, said = first[mutant].is_red, f"{mutant.component}: {mutant.change} [{mutant.kind}]"
        tally.lose += seen[mutant] > 0
        tally.red += is_red
        if mutant in explained:
            tally.equivalent += 1
        elif mutant in listed:
            who = "a hidden test" if seen[mutant] else "the check"
            tally.faults.append(f"{said} is listed in {EQUIVALENT}, and {who} fails it")
        elif seen[mutant] < under[mutant]:
            tally.survivors.append(mutant)
            how = ", though the check fails it" if is_red else ""
            if seen[mutant]:
                how = f" under {under[mutant] - seen[mutant]} of {under[mutant]} secrets"
            tally.faults.append(f"{said} survives the hidden tests{how}")
        if seen[mutant] and not is_red:
            tally.green.append(mutant)
            tally.faults.append(f"{said} loses points and its check is green")
    return tally


def _explained(
    made: Sequence[Mutant],
    equivalents: Iterable[Equivalent],
    tried: set[Mutant],
    alike: set[Mutant],
    tally: Tally,
) -> tuple[set[Mutant], set[Mutant]]:
    """Those among `alike` that the entries name, and all that they name one by one.

    An entry that names no mutant is a fault, and one that names a kind of change of which no
    mutant is like the reference.
    """
    explained, listed = set(), set()
    for entry in equivalents:
        for part in entry.parts:
            named = {mutant for mutant in made if entry.fits(part, mutant)}
            explained |= named & alike
            where = f"{entry.component}: {EQUIVALENT} lists {entry.said(part)}"
            if not named:
                tally.faults.append(f"{where}, which is no mutant")
            elif entry.changes:
                listed |= named
            elif named <= tried and not named & alike:
                tally.faults.append(f"{where}, and the tests see all of it")
    return explained, listed
