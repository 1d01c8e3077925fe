"""The tree of a beam search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...shared.language import _
from ...show import picture
from ...show.picture import BLUE, CENTERED, INK, MUTED, Picture, house_style, literal

__all__ = ["tree"]


@house_style
def tree(nodes: Iterable[Mapping[str, Any]], title: str = "") -> Picture:
    """Draw the tree of a beam search, from left to right.

    Each node is a dictionary with `id`, `parent` (another node's id, None for a root), `token`,
    `log_prob` and `kept`; kept nodes have a heavy outline, pruned ones a dashed one and a cross.
    The number in a box is the node's `score`, by which it is ranked, or else its `log_prob`.
    """
    nodes = {node["id"]: node for node in nodes}
    children = _children(nodes)
    places = _places(children)
    depth = 1 + max(x for x, _y in places.values())
    leaves = 1 + max(y for _x, y in places.values())
    # In a deep tree boxes are narrow, and the score is on a second line.
    width = min(150.0, 0.74 * 868 / depth)
    high = min(0.5 + 0.5 * leaves, 14.0)
    figure, axes = picture.canvas(high + 0.35 * bool(title), title)
    pitch_x = (900 - 32 - width) / max(depth - 1, 1)
    pitch_y = (100 * high - 50) / leaves
    spots = {
        name: (16 + min(pitch_x, width + 90) * x, 25 + pitch_y * (leaves - 0.5 - y))
        for name, (x, y) in places.items()
    }
    for name, node in nodes.items():
        if node["parent"] is not None:
            _draw_branch(axes, node, spots[node["parent"]], spots[name], width)
        _draw_node(axes, node, spots[name], width)
    if any("score" in node for node in nodes.values()):
        said = _("{title}. Every partial translation with its score:\n{lines}")
    else:
        said = _("{title}. Every partial translation with its log-probability:\n{lines}")
    lines = "\n".join(_in_words(nodes, name) for name in _depth_first(children))
    return Picture(figure, said.format(title=title or _("Beam search"), lines=lines))


def _children(nodes: dict) -> dict:
    """The children of every node; those of None are the roots."""
    children: dict = {name: [] for name in (None, *nodes)}
    for name, node in nodes.items():
        children[node["parent"]].append(name)
    return children


def _pen(node: dict) -> dict:
    """How a node's outline and the branch to it are drawn: dashed if it was pruned."""
    return {"lw": 2, "ls": "-"} if node["kept"] else {"lw": 0.9, "ls": (0, (3, 2))}


def _draw_branch(axes, node: dict, start: tuple, end: tuple, width: float) -> None:
    middle = (start[0] + width + end[0]) / 2
    xs, ys = [start[0] + width, middle, middle, end[0]], [start[1], start[1], end[1], end[1]]
    color = BLUE if node["kept"] else MUTED
    axes.plot(xs, ys, color=color, zorder=1 + bool(node["kept"]), **_pen(node))


def _draw_node(axes, node: dict, spot: tuple, width: float) -> None:
    x, y = spot
    is_kept = bool(node["kept"])
    between, tall = ("  ", 30) if width > 125 else ("\n", 36)
    fill, edge, ink = ("#E3F0F8", BLUE, INK) if is_kept else ("#F2F3F4", MUTED, MUTED)
    look = {"fc": fill, "ec": edge, "zorder": 3, **_pen(node)}
    picture.rounded_box(axes, x, y - tall / 2, width, tall, **look)
    label = f"{'' if is_kept else '× '}{node['token']}{between}{_rank(node):z.2f}"
    size = min(9.5, 1.05 * width / max(map(len, label.split("\n"))))
    axes.text(x + width / 2, y, literal(label), fontsize=size, color=ink, zorder=4, **CENTERED)


def _in_words(nodes: dict, name) -> str:
    kept, pruned = _("kept: {path} ({log_prob:z.2f})"), _("pruned: {path} ({log_prob:z.2f})")
    words = kept if nodes[name]["kept"] else pruned
    return words.format(path=" ".join(_path(nodes, name)), log_prob=_rank(nodes[name]))


def _rank(node: dict) -> float:
    return node.get("score", node["log_prob"])


def _places(children: dict) -> dict:
    """(depth, row) of every node: leaves have a row each, parents the mean of their children's."""
    places: dict = {}
    leaves = 0

    def place(name, depth: int) -> float:
        nonlocal leaves
        rows = [place(child, depth + 1) for child in children[name]]
        if not rows:
            rows, leaves = [float(leaves)], leaves + 1
        places[name] = (depth, sum(rows) / len(rows))
        return places[name][1]

    for root in children[None]:
        place(root, 0)
    return places


def _depth_first(children: dict, name=None) -> list:
    return [node for child in children[name] for node in (child, *_depth_first(children, child))]


def _path(nodes: dict, name) -> list[str]:
    path = []
    while name is not None:
        path.insert(0, str(nodes[name]["token"]))
        name = nodes[name]["parent"]
    return path
