"""Predict, then run: compares a student's prediction with the result."""

from ..shared.language import _


def reveal(guess, truth) -> None:
    """Print a prediction next to the result: tensors, shapes, numbers or strings."""
    if guess is None or guess is Ellipsis:
        print(_("First write down your guess in the cell above, then run both cells again."))
        return
    guess, truth = _plain(guess), _plain(truth)
    print(_("Your guess: {guess}\nIt is:      {truth}").format(guess=guess, truth=truth))
    print(_("Right!") if guess == truth else _("Not the same. Find out why before you go on."))


def _plain(value):
    """Sequences and tensors as tuples, floats rounded to two digits: 0.33 equals 0.3333."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value
