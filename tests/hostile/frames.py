"""What a student's process may write to the channel in place of evidence."""

import json

import torch

from transformer_workbook.shared import packing


def packed(tree) -> bytes:
    body = packing.pack(tree)
    return len(body).to_bytes(8, "little") + body


def forged(header: bytes, body: bytes = b"") -> bytes:
    frame = len(header).to_bytes(8, "little") + header + body
    return len(frame).to_bytes(8, "little") + frame


def forged_tree(tree: str, tensors: str = "", body: bytes = b"") -> bytes:
    header = f'{{"__metadata__":{{"tree":{json.dumps(tree)}}}{tensors}}}'
    return forged(header.encode(), body)


GARBAGE = {
    "text": b"hello, grader, how are you today?",
    "an endless length": b"\xff" * 16,
    "half a frame": (1000).to_bytes(8, "little") + b"x",
    "nothing": bytes(8),
    "no report": packed([1, 2, 3]),
    "an unknown event": packed({"event": "passed", "score": 100}),
    "a broken sandbox": packed({"event": "broken", "message": "me"}),
    "a cell that is not": packed({"event": "cell", "index": 99, "failure": None}),
    "a cell of no number": packed({"event": "cell", "index": torch.zeros(0), "failure": None}),
    "evidence unasked": packed({"event": "evidence", "id": "else", "evidence": {}}),
    "an unhashable id": packed({"event": "evidence", "id": [1], "evidence": {}}),
    "no evidence": packed({"event": "evidence", "id": "scale", "evidence": [1]}),
    "a plan's strange end": packed({"event": "plan", "code": "fine"}),
    "much text": forged_tree('"' + "a" * (2 << 20) + '"'),
    "deep text": forged_tree("[" * 100_000),
    "a deep header": forged(b"[" * 100_000),
    "few bytes for many tensors": forged_tree(
        '[{"$tensor":"a"},{"$tensor":"b"}]',
        ',"a":{"dtype":"U8","shape":[1000],"data_offsets":[0,1000]}'
        ',"b":{"dtype":"U8","shape":[1000],"data_offsets":[0,1000]}',
        bytes(1000),
    ),
    "one tensor twice": forged_tree(
        '[{"$tensor":"a"},{"$tensor":"a"}]',
        ',"a":{"dtype":"U8","shape":[1000],"data_offsets":[0,1000]}',
        bytes(1000),
    ),
    "a great number": forged_tree('{"event":"plan","code":1' + "0" * 400 + "}"),
}
