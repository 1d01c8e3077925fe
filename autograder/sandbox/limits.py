"""What one submission may use: time, memory, processes, disk, output."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Sizes are in bytes.

    `seconds` is for the whole submission. `step` is the most that one cell or one plan may take,
    so that an endless one leaves time for the others: by default ten seconds, or a sixth of
    `seconds` if that is more, and never more than `step_share` of the time left. `memory` is on top
    of Python and torch. `output` is how many characters are saved of the end of its output.
    `evidence` is how many bytes of evidence it may send; `text` is how many bytes of one message
    may be anything but tensors.
    """

    seconds: float = 60
    step: float | None = None
    step_share: float = 0.25
    memory: int = 2 << 30
    processes: int = 64
    file_size: int = 64 << 20
    disk: int = 128 << 20
    output: int = 20_000
    evidence: int = 64 << 20
    text: int = 1 << 20

    def share(self, left: float) -> float:
        """The seconds that the next step may take, with `left` seconds left for all steps."""
        return min(self.step or max(10.0, self.seconds / 6), left * self.step_share)
