"""Writes trees of plain values and tensors as bytes, and reads them back.

Everything that crosses a trust boundary (inputs, evidence, the recorded evidence that ships with
the course) has this format: a JSON header, then the tensors' raw bytes. Nothing is pickled, so
reading it cannot run code.
"""

import json
import math

import torch

MAGIC = b"wb-data1"
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
        torch.float16, torch.bfloat16, torch.float32, torch.float64,
    )
}  # fmt: skip


class BadData(ValueError):
    """Bytes that are not what `pack` writes, or a value that `pack` cannot write."""


def pack(tree) -> bytes:
    """Write nested dicts, lists, strings, numbers, booleans, None and CPU tensors as bytes.

    Raises BadData for anything else. The same tree always gives the same bytes.
    """
    blobs: list[bytes] = []
    offset = 0

    def encode(node):
        nonlocal offset
        if isinstance(node, torch.Tensor):
            plain = node.detach().to("cpu").contiguous()
            name = str(plain.dtype).removeprefix("torch.")
            if name not in DTYPES:
                raise BadData(f"a tensor of dtype {plain.dtype} cannot be written")
            blob = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
            blobs.append(blob)
            offset += len(blob)
            return {"$tensor": [name, list(plain.shape), offset - len(blob), len(blob)]}
        if isinstance(node, dict):
            return {str(key): encode(value) for key, value in node.items()}
        if isinstance(node, list | tuple):
            return [encode(value) for value in node]
        if isinstance(node, float) and not math.isfinite(node):
            return {"$float": str(node)}
        if type(node) is int and not -(2**63) <= node < 2**63:
            raise BadData("a number is too large to be written")
        if node is None or isinstance(node, str | bool | int | float):
            return node
        raise BadData(f"a value of type {type(node).__name__} cannot be written")

    header = json.dumps(encode(tree), ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )
    return b"".join([MAGIC, len(header).to_bytes(8, "little"), header, *blobs])


def unpack(data: bytes):
    """Read what `pack` wrote. Raises BadData for any other bytes; never runs code."""
    if len(data) < 16 or data[:8] != MAGIC:
        raise BadData("these bytes do not begin as packed data does")
    size = int.from_bytes(data[8:16], "little")
    if size > len(data) - 16:
        raise BadData("the header is cut off")
    try:
        tree = json.loads(data[16 : 16 + size].decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise BadData("the header is not JSON") from error
    body = memoryview(data)[16 + size :]
    read = 0

    def decode(node, depth=0):
        nonlocal read
        if depth > 50:
            raise BadData("the tree is nested too deeply")
        if isinstance(node, list):
            return [decode(value, depth + 1) for value in node]
        if isinstance(node, dict):
            if node.keys() == {"$tensor"}:
                # Each byte belongs to one tensor, so few bytes cannot claim much memory.
                tensor, read = _tensor(node["$tensor"], body, read)
                return tensor
            if node.keys() == {"$float"}:
                if node["$float"] not in ("nan", "inf", "-inf"):
                    raise BadData("a number is not one")
                return float(node["$float"])
            return {key: decode(value, depth + 1) for key, value in node.items()}
        if type(node) is int and not -(2**63) <= node < 2**63:
            raise BadData("a number is too large")
        return node

    decoded = decode(tree)
    if read != len(body):
        raise BadData("there are more bytes than the tensors have")
    return decoded


def _tensor(entry, body: memoryview, start: int) -> tuple[torch.Tensor, int]:
    """The tensor whose bytes begin at `start`, and the offset of the next one."""
    if not (isinstance(entry, list) and len(entry) == 4):
        raise BadData("a tensor's entry is malformed")
    name, shape, offset, size = entry
    if not (isinstance(name, str) and name in DTYPES and isinstance(shape, list)):
        raise BadData("a tensor's entry is malformed")
    if not all(type(n) is int and 0 <= n < 2**40 for n in (*shape, offset, size)):
        raise BadData("a tensor's sizes are malformed")
    dtype = DTYPES[name]
    end = offset + size
    if len(shape) > 16 or math.prod(shape) * dtype.itemsize != size:
        raise BadData("a tensor's sizes do not fit its bytes")
    if offset != start or end > len(body):
        raise BadData("a tensor's bytes are not where they should be")
    try:
        if size == 0:
            return torch.empty(shape, dtype=dtype), end
        raw = torch.frombuffer(bytearray(body[offset:end]), dtype=torch.uint8)
        if dtype is torch.bool and raw.max() > 1:
            raise BadData("a boolean tensor holds other bytes than 0 and 1")
        return raw.view(dtype).reshape(shape), end
    except RuntimeError as error:  # a shape with a 0 whose other sizes overflow
        raise BadData("no tensor has such sizes") from error
