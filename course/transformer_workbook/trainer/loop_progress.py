"""The steps of a loop in a lesson, with a progress bar."""

from collections.abc import Iterator

from ..shared.progress_bar import Estimate, progress_bar


def steps(count: int, title: str = "") -> Iterator[int]:
    """Count from 0 to `count` - 1, with a progress bar; says how long all of it takes here.

    The same counter may serve several loops, each with `zip(range(150), counter)`.
    """
    bar, estimate = progress_bar(count, title=title), Estimate()
    try:
        for number in range(count):
            if bar:
                bar.update()
                if number == count - 1:
                    bar.close()  # the caller need not ask for a further number
            yield number
            estimate.step(count)
    finally:
        if bar:
            bar.close()
