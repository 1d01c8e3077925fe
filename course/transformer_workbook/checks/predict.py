"""Predict, then run: compares a student's prediction with the result."""

from ..shared.explain import texts


def reveal(guess, truth) -> None:
    """Print a prediction next to the result: tensors, shapes, numbers or strings."""
    said = texts()["reveal"]
    if guess is None or guess is Ellipsis:
        print(said["none"])
        return
    right = _plain(guess) == _plain(truth)
    print(said["right" if right else "wrong"].format(guess=_plain(guess), truth=_plain(truth)))


def _plain(value):
    """Sequences and tensors as tuples, floats rounded to two digits: 0.33 equals 0.3333."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value
