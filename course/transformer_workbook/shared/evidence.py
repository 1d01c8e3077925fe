"""What a probe returned: tensors and plain values, or how it failed. Holds no judgment."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from .packing import BadData

MOST_NAMES = 1000  # of tensors and values; a probe returns some ten
LONGEST_NAME = 200  # characters

# It calls a component with the inputs of a case, and returns tensors and values by their names.
Probe = Callable[..., dict[str, object]]


@dataclass(frozen=True)
class Failure:
    """How a component failed: the exception's type and message and the student's line.

    `kind` is "exception", "blank" (a `____` was reached), "forbidden" (the built-in that the
    exercise is about was called), "missing" (nothing of that name was defined), "unnamed" (the
    student's object lacks an attribute whose name the course fixes), "timeout", "out_of_memory" or
    "died". `suggestion` is the name that a misspelled one probably stands for. `names` are the
    names in that line with their types and shapes.
    """

    kind: str
    type: str = ""
    message: str = ""
    line: str = ""
    suggestion: str = ""
    names: str = ""

    KINDS = (
        "exception", "blank", "forbidden", "missing", "unnamed", "timeout", "out_of_memory", "died",
    )  # fmt: skip

    @property
    def signature(self) -> tuple[str, str, str]:
        """Equal for two failures with one cause on the same inputs.

        Leaves out the words of an exception that the student raises, memory addresses, and the
        dtype's precision: evidence is recorded in double.
        """
        message = "" if self.line.lstrip().startswith("raise ") else self.message
        message = re.sub(r"\b0x[0-9a-f]+", "0x", message)
        message = message.replace("Double", "Float").replace("double", "float")
        return self.kind, self.type, message.replace("float64", "float32")


@dataclass(frozen=True)
class Evidence:
    """Named tensors and plain values that a probe returned, or its failure."""

    tensors: dict[str, torch.Tensor] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)
    failure: Failure | None = None

    def to_tree(self) -> dict[str, object]:
        """The evidence as a tree that `packing.pack` writes."""
        failure = self.failure and {**vars(self.failure)}
        if failure and not failure["names"]:
            del failure["names"]
        return {"tensors": self.tensors, "values": self.values, "failure": failure}

    @classmethod
    def from_tree(cls, tree: object) -> "Evidence":
        """Read `to_tree` back, also from untrusted code. Raises BadData for anything else."""
        if not isinstance(tree, dict) or tree.keys() != {"tensors", "values", "failure"}:
            raise BadData("this is no evidence")
        tensors, values, failure = tree["tensors"], tree["values"], tree["failure"]
        if not isinstance(tensors, dict) or not isinstance(values, dict):
            raise BadData("evidence holds named tensors and named values")
        if len(tensors) + len(values) > MOST_NAMES:
            raise BadData("evidence holds too many tensors or values")
        if any(len(name) > LONGEST_NAME for name in (*tensors, *values)):
            raise BadData("a name in evidence is too long")
        if not all(isinstance(tensor, torch.Tensor) for tensor in tensors.values()):
            raise BadData("evidence holds something else among its tensors")
        if not _is_plain(values):
            raise BadData("evidence holds a tensor among its values")
        changed = values.get("inputs_changed", [])
        if not isinstance(changed, list) or not all(isinstance(name, str) for name in changed):
            raise BadData("the names of changed inputs are malformed")
        if failure is None:
            return cls(tensors, values)
        fields = Failure.__dataclass_fields__.keys()
        if not isinstance(failure, dict) or failure.keys() | {"names"} != fields:
            raise BadData("a failure is malformed")
        if not all(isinstance(text, str) for text in failure.values()):
            raise BadData("a failure is malformed")
        if failure["kind"] not in Failure.KINDS:
            raise BadData("a failure is of no known kind")
        return cls(tensors, values, Failure(**failure))


def _is_plain(tree: object) -> bool:
    """Whether a tree holds no tensor: `==` between a tensor and a number gives no bool."""
    if isinstance(tree, dict):
        return all(map(_is_plain, tree.values()))
    if isinstance(tree, list):
        return all(map(_is_plain, tree))
    return not isinstance(tree, torch.Tensor)
