"""Predict, then run: compares a student's guess with what is."""

from ..shared.explain import texts


def reveal(guess, truth) -> None:
    """Print a guess beside the truth. Tensors, shapes, numbers and texts can be compared."""
    said = texts()["reveal"]
    if guess is None or guess is Ellipsis:
        print(said["none"])
        return
    right = _plain(guess) == _plain(truth)
    print(said["right" if right else "wrong"].format(guess=_plain(guess), truth=_plain(truth)))


def _plain(value):
    """Shapes as tuples, numbers rounded: a guess of 0.33 is as good as one of 0.3333."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value
