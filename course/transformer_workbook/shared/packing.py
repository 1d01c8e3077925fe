"""Writes trees of plain values and tensors as bytes, and reads them back.

Everything that crosses a trust boundary (inputs, evidence, the recorded evidence that ships with
the course) has this format: a safetensors file, with the tree as JSON in its metadata. Nothing is
pickled, so reading it cannot run code.
"""

import json
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

DTYPES = (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64,
)  # fmt: skip
_TREE = "tree"  # the one key of the metadata: the library writes several in any order


class BadData(ValueError):
    """Bytes that are not what `pack` writes, or a value that `pack` cannot write."""


def pack(tree: object) -> bytes:
    """Write nested dicts, lists, strings, numbers, booleans, None and CPU tensors as bytes.

    Raises BadData for anything else. The same tree always gives the same bytes.
    """
    tensors: dict[str, torch.Tensor] = {}

    def encode(node: object) -> object:
        if isinstance(node, torch.Tensor):
            if node.dtype not in DTYPES:
                raise BadData(f"a tensor of dtype {node.dtype} cannot be written")
            name = str(len(tensors))
            tensors[name] = plain_copy(node)
            return {"$tensor": name}
        if isinstance(node, dict):
            return {str(key): encode(value) for key, value in node.items()}
        if isinstance(node, list | tuple):
            return [encode(value) for value in node]
        if type(node) is int and not -(2**63) <= node < 2**63:
            raise BadData("a number is too large to be written")
        if node is None or isinstance(node, str | bool | int | float):
            return node
        raise BadData(f"a value of type {type(node).__name__} cannot be written")

    text = json.dumps(encode(tree), separators=(",", ":"))
    return save(tensors, {_TREE: text})


def plain_copy(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor's values on the CPU, contiguous, in memory of their own, as safetensors asks."""
    return tensor.detach().to("cpu").contiguous().clone()


def unpack(data: bytes) -> Any:
    """Read what `pack` wrote. Raises BadData for any other bytes; never runs code."""
    if not has_whole_header(data):
        raise BadData("the header is cut off")
    try:
        # The library lets each byte belong to one tensor: few bytes cannot claim much memory.
        tensors = load(data)
    except SafetensorError as error:
        raise BadData("these bytes do not begin as packed data does") from error
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        raise BadData("no tensor has such sizes") from error
    for tensor in tensors.values():
        _require_plain(tensor)
    try:
        tree = json.loads(metadata_of(data)[_TREE])
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadData("the header is not JSON") from error

    def decode(node: Any, depth: int = 0) -> Any:
        if depth > 50:
            raise BadData("the tree is nested too deeply")
        if isinstance(node, list):
            return [decode(value, depth + 1) for value in node]
        if isinstance(node, dict):
            if node.keys() == {"$tensor"}:
                name = node["$tensor"]
                if not isinstance(name, str) or name not in tensors:
                    raise BadData("a tensor's entry is malformed")
                return tensors.pop(name)
            return {key: decode(value, depth + 1) for key, value in node.items()}
        if type(node) is int and not -(2**63) <= node < 2**63:
            raise BadData("a number is too large")
        return node

    decoded = decode(tree)
    if tensors:
        raise BadData("there are more bytes than the tensors have")
    return decoded


def _require_plain(tensor: torch.Tensor) -> None:
    if tensor.dtype not in DTYPES:
        raise BadData("a tensor's entry is malformed")
    if tensor.ndim > 16 or not all(size < 2**40 for size in tensor.shape):
        raise BadData("a tensor's sizes are malformed")
    if tensor.dtype is torch.bool and tensor.numel() and tensor.view(torch.uint8).max() > 1:
        raise BadData("a boolean tensor holds other bytes than 0 and 1")


def header_size(data: bytes) -> int:
    """The bytes of the header of a safetensors file; they follow its first 8."""
    return int.from_bytes(data[:8], "little")


def has_whole_header(data: bytes) -> bool:
    """Whether the header of a safetensors file ends within these bytes."""
    return 2 <= header_size(data) <= len(data) - 8


def metadata_of(data: bytes) -> dict[str, str]:
    """The metadata of a safetensors file which the library has read: `load` leaves it out."""
    return json.loads(data[8 : 8 + header_size(data)]).get("__metadata__") or {}
