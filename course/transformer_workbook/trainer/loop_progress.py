"""The steps of a loop in a lesson, with a progress bar."""

from collections.abc import Iterator

from ..shared.progress_bar import progress_bar


def steps(count: int, title: str = "") -> Iterator[int]:
    """Count from 0 to `count` - 1, with a progress bar.

    The same counter may serve several loops, each with `zip(range(150), counter)`.
    """
    with progress_bar(count, title=title) as bar:
        for number in range(count):
            bar.update()
            if number == count - 1:
                bar.close()  # the caller need not ask for a further number
            yield number
