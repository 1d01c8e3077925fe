"""Mutants: wrong answers made by rule, by changing a right one in one place.

Each rule looks at the syntax tree of a source and proposes changes that people make by mistake:
another axis, a call left out, two arguments the wrong way round. The change is written into the
text of the source, and the rest of the text stays as it is. The same source gives the same
mutants in the same order, on every machine.

Nothing is changed that no test can see: docstrings, annotations, texts of errors, the device of a
tensor (tests run on one kind of device only), the order of assignments that use nothing of each
other, gradients where none are recorded, and in place only what is used again.
"""

import ast
import copy
import dataclasses
import hashlib
import math
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import torch

MOST = 400  # mutants of one source
NEARBY = 4  # other names tried at one place

KINDS = {
    "axis": "another axis",
    "argument": "an argument left out, or two of them exchanged",
    "flag": "a keyword left out, or a flag turned round",
    "call": "a call left out",
    "function": "another function, much alike",
    "operator": "another operator, or its operands exchanged",
    "operand": "one side of an operation alone",
    "constant": "another number",
    "condition": "a condition inverted, always true or always false",
    "name": "another name of the scope",
    "attribute": "another attribute of the object",
    "statement": "a statement left out",
    "order": "two statements exchanged",
    "block": "a statement moved into a block or out of it",
    "in place": "an operation that changes what it was given",
    "shared": "one object many times, in place of many objects",
    "detached": "no gradient flows through an expression",
    "default": "another default value",
    "result": "the results in another order, or one of them missing",
    "slice": "other bounds",
    "index": "the entries of a subscript exchanged, or one left out",
    "loop": "a loop that is one turn shorter or longer",
    "jump": "a break or continue of another kind",
    "context": "a with statement or a decorator left out",
}


@dataclass(frozen=True)
class Mutant:
    """A source changed in one place: `old`, in the source's line `line`, has become `new`.

    `text` is that line, without its comment. `copy` counts those that would otherwise read the
    same: two places in one line.
    """

    component: str
    kind: str
    line: int
    text: str
    old: str
    new: str
    source: str
    copy: int = 1

    @property
    def change(self) -> str:
        """The change in one line; no other mutant of the same source has the same."""
        again = f" ({self.copy})" if self.copy > 1 else ""
        return f"line {self.line}: {self.old} -> {self.new}{again}"

    @property
    def key(self) -> str:
        """What the order of mutants goes by."""
        return hashlib.sha256(f"{self.component}|{self.change}".encode()).hexdigest()


def mutants(
    component: str, source: str, right: Iterable[str] = (), most: int = MOST
) -> list[Mutant]:
    """The mutants of a source, at most `most`, ordered as they stand in it.

    None of them has the syntax tree of the source, of another mutant, or of a source in `right`.
    Where there are too many, kinds and lines are kept in balance, and a hash decides between
    mutants of one kind and line.
    """
    known = {_meaning(ast.parse(text)) for text in (source, *right)}
    found, said = [], Counter()
    lines = [_code(line) for line in source.splitlines()]
    for edit in _Source(source).edits():
        text = source[: edit.start] + edit.text + source[edit.end :]
        meaning = edit.meaning or _meaning_of(text)
        if meaning is None or meaning in known:
            continue
        known.add(meaning)
        said[edit.line, edit.old, edit.new] += 1
        copy = said[edit.line, edit.old, edit.new]
        line = lines[edit.line - 1]
        found.append(Mutant(component, edit.kind, edit.line, line, edit.old, edit.new, text, copy))
    kept = set(map(id, _balanced(found, most)))
    return [mutant for mutant in found if id(mutant) in kept]


BLOCKS = ("body", "orelse", "handlers", "finalbody")


def _statements(node: ast.AST, depth: str = "") -> Iterator[tuple[ast.stmt, str]]:
    """All statements but docstrings, each with where it stands: the blocks that it is in."""
    for name in BLOCKS:
        block = getattr(node, name, None)
        for statement in block if isinstance(block, list) else []:
            if not _is_docstring(statement):
                yield statement, f"{depth}{name} "
                yield from _statements(statement, f"{depth}{name} ")


def _meaning(tree: ast.Module) -> tuple[str, ...]:
    """The syntax tree without docstrings, by statements: two sources with the same do the same."""
    return tuple(place + _head(statement) for statement, place in _statements(tree))


def _meaning_of(text: str) -> tuple[str, ...] | None:
    """The meaning of a text; None where it is no code: a `break` that was moved out of a loop."""
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return None
    return _meaning(ast.parse(text))


def _head(statement: ast.stmt) -> str:
    """A statement without the blocks in it."""
    fields = {name: [] if name in BLOCKS else value for name, value in ast.iter_fields(statement)}
    return ast.dump(type(statement)(**fields))


def _balanced(found: list[Mutant], most: int) -> list[Mutant]:
    """At most `most` of them: each kind in its turn, and within a kind each line in its turn."""
    turn = Counter()
    places = []
    for mutant in sorted(found, key=lambda one: one.key):
        in_line = (mutant.kind, mutant.line)
        turn[in_line] += 1
        places.append((turn[in_line], mutant.key, mutant))
    places.sort(key=lambda place: place[:2])
    of_kind = Counter()
    turns = []
    for _, key, mutant in places:
        of_kind[mutant.kind] += 1
        turns.append((of_kind[mutant.kind], key, mutant))
    turns.sort(key=lambda place: place[:2])
    return [mutant for _, _, mutant in turns[:most]]


@dataclass(frozen=True)
class _Edit:
    """Characters `start` to `end` of the source become `text`; the rest says what that means.

    `meaning` is that of the whole source, where it is known already.
    """

    kind: str
    start: int
    end: int
    text: str
    line: int
    old: str
    new: str
    meaning: tuple[str, ...] | None = None


# What the rules know of torch.

AXES = {"dim", "dim0", "dim1", "dims", "axis", "start_dim", "end_dim"}
TAKES_AXES = {
    "all", "amax", "amin", "any", "argmax", "argmin", "argsort", "cat", "chunk", "cumsum", "diff",
    "flatten", "flip", "gather", "index_add", "index_select", "log_softmax", "logsumexp", "max",
    "mean", "min", "movedim", "norm", "permute", "prod", "repeat_interleave", "roll", "scatter",
    "scatter_", "scatter_add", "select", "size", "softmax", "sort", "split", "squeeze", "stack",
    "std", "sum", "swapaxes", "swapdims", "topk", "transpose", "unbind", "unflatten", "unsqueeze",
    "var",
}  # fmt: skip
OTHER_AXES = (-1, -2, 0, 1, 2)
SYMMETRIC = {"transpose", "swapaxes", "swapdims"}
ALIKE = [
    ("sum", "mean"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"), ("any", "all"),
    ("sin", "cos"), ("exp", "log"), ("ones", "zeros"), ("ones_like", "zeros_like"),
    ("cat", "stack"), ("triu", "tril"), ("relu", "gelu"), ("softmax", "log_softmax"),
    ("softmax", "sigmoid"),
    ("var", "std"), ("sqrt", "rsqrt"), ("sqrt", "square"), ("train", "eval"), ("floor", "ceil"),
    ("repeat_interleave", "repeat"), ("xavier_uniform_", "xavier_normal_"), ("is_not", "is_"),
    ("append", "extend"), ("log1p", "log"), ("expm1", "exp"), ("squeeze", "unsqueeze"),
    ("no_grad", "enable_grad"), ("item", "double"), ("flatten", "ravel"), ("numel", "dim"),
    ("parameters", "buffers"), ("isnan", "isinf"), ("minimum", "maximum"), ("bool", "long"),
]  # fmt: skip
IN_PLACE = {
    "abs", "add", "clamp", "copysign", "cumsum", "div", "exp", "index_add", "index_copy",
    "index_fill", "log", "logical_and", "logical_not", "logical_or", "masked_fill",
    "masked_scatter", "mul", "neg", "pow", "relu", "reciprocal", "round", "rsqrt", "scatter",
    "scatter_add", "sigmoid", "sqrt", "squeeze", "sub", "swapaxes", "t", "tanh", "transpose",
    "tril", "triu", "unsqueeze",
}  # fmt: skip
VIEWS = {
    "chunk", "expand", "expand_as", "flatten", "movedim", "narrow", "permute", "reshape", "select",
    "split", "squeeze", "swapaxes", "t", "transpose", "unbind", "unflatten", "unsqueeze", "view",
}  # fmt: skip
METHOD_OF = {
    ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_", ast.Pow: "pow_",
    ast.BitOr: "logical_or_", ast.BitAnd: "logical_and_",
}  # fmt: skip
OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult, ast.Div),
    ast.Sub: (ast.Add, ast.Mult, ast.Div),
    ast.Mult: (ast.Add, ast.Sub, ast.Div, ast.Pow),
    ast.Div: (ast.Mult, ast.Add, ast.Sub, ast.FloorDiv),
    ast.FloorDiv: (ast.Mod, ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult, ast.Div),
    ast.MatMult: (ast.Mult, ast.Add),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
}
COMMUTES = (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE, ast.Eq),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.NotEq),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE, ast.Eq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
MODULES = {"torch", "nn", "F", "math", "np", "random", "wb", "copy", "itertools", "functools"}
UNSEEN = {"device", "non_blocking", "pin_memory"}  # keywords that no test on one device can see
FUNCTIONS = ast.FunctionDef | ast.Lambda
COMPREHENSIONS = ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
# Nodes without a place: the parser makes one of each kind for a whole tree.
SHARED = ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop
# What needs no parentheses, wherever it stands.
WHOLE = (ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.List | ast.ListComp | ast.Dict
         | ast.DictComp | ast.Set | ast.SetComp | ast.Constant)  # fmt: skip
LEAVES = ast.Name | ast.Constant | ast.UnaryOp | ast.Slice | ast.Attribute | ast.Starred


class _Source:
    """A source, its tree, and the changes that the rules propose."""

    def __init__(self, text: str):
        self.text, self.tree = text, ast.parse(text)
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = text.splitlines()
        self._parents: dict[ast.AST, tuple[ast.AST, str, int | None]] = {}
        for parent in ast.walk(self.tree):
            for name, value in ast.iter_fields(parent):
                for index, child in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(child, ast.AST) and not isinstance(child, SHARED):
                        at = index if isinstance(value, list) else None
                        self._parents[child] = (parent, name, at)

    def edits(self) -> Iterator[_Edit]:
        """All changes, in the order of the places that they change."""
        for node in self._changeable(self.tree):
            if isinstance(node, ast.stmt):
                yield from self._of_statement(node)
            elif isinstance(node, ast.expr):
                for kind, new in self._of_expression(node):
                    yield from self._swap(kind, node, new)
            elif isinstance(node, ast.arguments):
                yield from self._of_defaults(node)

    def _changeable(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes in which a change could be seen, each before what is in it."""
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "msg", "bases", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or _is_docstring(child):
                    continue
                if isinstance(child, ast.JoinedStr | ast.keyword) and (
                    isinstance(child, ast.JoinedStr) or child.arg in UNSEEN
                ):
                    continue
                if isinstance(child, ast.Raise):
                    yield child  # but nothing of its text
                    continue
                yield from self._changeable(child)

    # Places and texts.

    def _at(self, line: int, column: int) -> int:
        # ast counts columns in UTF-8 bytes.
        text = self._lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(text)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        first = node
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            first = node.decorator_list[0]
            return self._starts[first.lineno - 1] + node.col_offset, self._at(
                node.end_lineno, node.end_col_offset
            )
        return (
            self._at(first.lineno, first.col_offset),
            self._at(node.end_lineno, node.end_col_offset),
        )

    def _words(self, node: ast.AST) -> str:
        """The node's text in one line; of a block its head."""
        if hasattr(node, "body") and isinstance(node, ast.stmt):
            return _code(self._lines[node.lineno - 1])
        start, end = self._span(node)
        return _in_one_line(self.text[start:end])

    def _shown(self, node: ast.expr) -> ast.AST | tuple[int, int]:
        """The piece of the source that says enough to recognize a change of `node`."""
        while isinstance(node, LEAVES | ast.keyword | ast.comprehension):
            parent = self._parents[node][0]
            if isinstance(parent, ast.arguments):
                return self._span(_parameter(parent, node))[0], self._span(node)[1]
            node = self._parents[node][0]
        if isinstance(node, ast.Tuple) and isinstance(self._parents[node][0], ast.Subscript):
            node = self._parents[node][0]
        return node

    # Changing.

    def _swap(self, kind: str, node: ast.expr, new: ast.expr) -> Iterator[_Edit]:
        """`new` in the place of `node`, in parentheses where it needs them."""
        parent, name, index = self._parents[node]
        holder = parent if index is None else getattr(parent, name)
        put = setattr if index is None else list.__setitem__
        key = name if index is None else index
        statement, path = self._way_to(node)
        put(holder, key, new)
        wanted = _head(statement)
        put(holder, key, node)
        if wanted == _head(statement):
            return
        start, end = self._span(node)
        for text in self._written(new):
            try:
                changed = ast.parse(self.text[:start] + text + self.text[end:])
            except SyntaxError:
                continue
            for field, at in path:
                changed = getattr(changed, field)[at]
            if _head(changed) == wanted:
                edit = self._edit(kind, start, end, text, self._shown(node))
                yield dataclasses.replace(edit, meaning=self._meaning_with(statement, wanted))
                return

    def _way_to(self, node: ast.AST) -> tuple[ast.stmt, list[tuple[str, int]]]:
        """The innermost statement around a node, and how to come to it from the root."""
        while not isinstance(node, ast.stmt):
            node = self._parents[node][0]
        path, at = [], node
        while at is not self.tree:
            parent, name, index = self._parents[at]
            path.append((name, index))
            at = parent
        return node, path[::-1]

    def _meaning_with(self, statement: ast.stmt, head: str) -> tuple[str, ...]:
        """The meaning of the source when a statement's head is another one."""
        return tuple(
            place + (head if one is statement else known) for one, place, known in self._known_heads
        )

    @cached_property
    def _known_heads(self) -> list[tuple[ast.stmt, str, str]]:
        return [(one, place, _head(one)) for one, place in _statements(self.tree)]

    def _written(self, new: ast.expr) -> Iterator[str]:
        """Texts of an expression, the best one first; the last ones have all parentheses.

        What of it stands in the source is written as it stands there.
        """
        if new in self._parents:
            kept = {"kept_0": new}
        else:
            kept = {f"kept_{n}": node for n, node in enumerate(self._standing(new))}
        stands_for = {id(node): ast.Name(name, ast.Load()) for name, node in kept.items()}
        pattern = _in_one_line(ast.unparse(copy.deepcopy(new, stands_for)))
        for around in ("{}", "({})"):
            text = pattern[1:-1] if isinstance(new, ast.Tuple) and len(new.elts) > 1 else pattern
            for name, node in reversed(kept.items()):
                piece = self._words(node)
                is_whole = isinstance(node, WHOLE)
                text = text.replace(name, piece if is_whole else around.format(piece))
            yield text
            yield f"({text})"
        yield f"({_in_one_line(ast.unparse(new))})"

    def _standing(self, new: ast.AST) -> Iterator[ast.expr]:
        """The largest expressions in a new one that stand in the source."""
        for child in ast.iter_child_nodes(new):
            if isinstance(child, ast.expr) and child in self._parents:
                yield child
            else:
                yield from self._standing(child)

    def _edit(
        self, kind: str, start: int, end: int, text: str, shown: ast.AST | tuple[int, int]
    ) -> _Edit:
        if isinstance(shown, tuple):
            first, last = shown
        elif hasattr(shown, "body") and isinstance(shown, ast.stmt):  # the head alone
            first = self._starts[shown.lineno - 1]
            last = max(end, first + len(self._lines[shown.lineno - 1].partition("  #")[0]))
        else:
            first, last = self._span(shown)
        new = self.text[first:start] + text + self.text[end:last]
        line = self.text.count("\n", 0, start) + 1
        old = _in_one_line(self.text[first:last])
        return _Edit(kind, start, end, text, line, old, _in_one_line(new))

    # Expressions.

    def _of_expression(self, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        match node:
            case ast.Constant():
                yield from self._other_constants(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                yield from self._other_constants(node)
            case ast.UnaryOp():
                yield "operator", node.operand
                if isinstance(node.op, ast.Invert) and self._is_used_again(node.operand):
                    yield "in place", _method(node.operand, "logical_not_")
            case ast.BinOp():
                for op in OPERATORS.get(type(node.op), ()):
                    yield "operator", ast.BinOp(node.left, op(), node.right)
                if not isinstance(node.op, COMMUTES):
                    yield "operator", ast.BinOp(node.right, node.op, node.left)
                yield "operand", node.left
                yield "operand", node.right
                if type(node.op) in METHOD_OF and self._is_used_again(node.left):
                    yield "in place", _method(node.left, METHOD_OF[type(node.op)], node.right)
            case ast.BoolOp():
                other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield "operator", ast.BoolOp(other, node.values)
                for index in range(len(node.values)):
                    rest = _without(node.values, index)
                    yield "operand", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
            case ast.Compare():
                for index, op in enumerate(node.ops):
                    for other in COMPARISONS[type(op)]:
                        ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
                        yield "operator", ast.Compare(node.left, ops, node.comparators)
            case ast.IfExp():
                yield from _other_conditions(node)
            case ast.Call():
                yield from self._other_calls(node)
            case ast.Subscript():
                yield from self._other_subscripts(node)
            case ast.Name(ctx=ast.Load()):
                for name in self._other_names(node):
                    yield "name", ast.Name(name, ast.Load())
            case ast.Attribute(ctx=ast.Load()):
                for name in self._other_attributes(node):
                    yield "attribute", ast.Attribute(node.value, name, ast.Load())
            case ast.ListComp() | ast.GeneratorExp():
                yield from self._other_comprehensions(node)
        yield from self._cut_off(node)

    def _other_constants(self, node: ast.Constant | ast.UnaryOp) -> Iterator[tuple[str, ast.expr]]:
        parent = self._parents[node][0]
        if isinstance(parent, ast.UnaryOp) and isinstance(node, ast.Constant):
            return  # its minus belongs to it
        value = ast.literal_eval(node)
        if isinstance(value, bool):
            kind = "default" if isinstance(parent, ast.arguments) else "flag"
            yield kind, ast.Constant(not value)
        elif isinstance(value, int | float):
            if self._is_axis(node):
                others = OTHER_AXES
                kind = "axis"
            elif isinstance(value, int):
                others = (value + 1, value - 1, 0, 1, -value)
                kind = "constant"
            else:
                others = (value / 2, value * 2, -value, 0.0, 1.0)
                kind = "constant"
            if isinstance(parent, ast.arguments):
                kind = "default"
            for other in dict.fromkeys(others):
                if other != value:
                    yield kind, _number(other)
        elif value in ("-inf", "inf"):
            yield "constant", ast.Constant({"-inf": "inf", "inf": "-inf"}[value])
            yield "constant", ast.Constant("nan")

    def _is_axis(self, node: ast.expr) -> bool:
        parent, name, _ = self._parents[node]
        if isinstance(parent, ast.keyword):
            return parent.arg in AXES
        if isinstance(parent, ast.Call):
            of_torch = isinstance(parent.func, ast.Attribute)  # max(x, 1) is Python's own
            return name == "args" and of_torch and _called(parent) in TAKES_AXES
        if isinstance(parent, ast.Subscript):
            return isinstance(parent.value, ast.Attribute) and parent.value.attr == "shape"
        return False

    def _other_calls(self, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        func, args, keywords = node.func, node.args, node.keywords
        called = _called(node)
        if called == "super":
            return
        is_attribute = isinstance(func, ast.Attribute)
        of_object = is_attribute and not _is_module(func.value)
        if of_object:
            yield "call", func.value
        if args and not isinstance(args[0], ast.Starred | ast.Constant | ast.UnaryOp):
            yield "call", args[0]
        for index in range(len(args)):
            yield "argument", ast.Call(func, _without(args, index), keywords)
        for index in range(len(args) - 1):
            swapped = [*args[:index], args[index + 1], args[index], *args[index + 2 :]]
            if called not in SYMMETRIC and not (called in ("max", "min") and not is_attribute):
                yield "argument", ast.Call(func, swapped, keywords)
        for index, keyword in enumerate(keywords):
            if keyword.arg not in UNSEEN:
                yield "flag", ast.Call(func, args, _without(keywords, index))
        if called in TAKES_AXES and not args and not keywords and of_object and called != "size":
            for axis in OTHER_AXES:
                yield "axis", ast.Call(func, [_number(axis)], [])
        for one, other in ALIKE:
            for old, new in ((one, other), (other, one)):
                if called == old and isinstance(func, ast.Attribute) and _has(func.value, new):
                    yield (
                        "function",
                        ast.Call(ast.Attribute(func.value, new, ast.Load()), args, keywords),
                    )
        changed = func.value if of_object else args[0] if args else None
        is_seen = changed is not None and self._is_used_again(changed)
        if called in IN_PLACE and is_seen and is_attribute and _has(func.value, f"{called}_"):
            changing = ast.Attribute(func.value, f"{called}_", ast.Load())
            yield "in place", ast.Call(changing, args, keywords)
        if called == "range":
            last = args[1] if len(args) > 1 else args[0]
            for op in (ast.Add(), ast.Sub()):
                longer = ast.BinOp(last, op, ast.Constant(1))
                ends = [args[0], longer, *args[2:]] if len(args) > 1 else [longer]
                yield "loop", ast.Call(func, ends, keywords)
            first = args[0] if len(args) > 1 else ast.Constant(0)
            later = ast.BinOp(first, ast.Add(), ast.Constant(1))
            later = later if len(args) > 1 else ast.Constant(1)
            yield "loop", ast.Call(func, [later, last, *args[2:]], keywords)

    def _other_subscripts(self, node: ast.Subscript) -> Iterator[tuple[str, ast.expr]]:
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]

        def with_entries(new: list[ast.expr]) -> ast.Subscript:
            inner = new[0] if len(new) == 1 else ast.Tuple(new, ast.Load())
            return ast.Subscript(node.value, inner, node.ctx)

        if len(entries) > 1:
            for index in range(len(entries) - 1):
                swapped = [*entries]
                swapped[index : index + 2] = reversed(entries[index : index + 2])
                yield "index", with_entries(swapped)
            for index, entry in enumerate(entries):
                is_last = index + 1 == len(entries)
                if not (is_last and ast.unparse(entry) == ":"):  # which says nothing
                    yield "index", with_entries(_without(entries, index))
        elif isinstance(node.ctx, ast.Load):
            yield "index", node.value
        for index, entry in enumerate(entries):
            if isinstance(entry, ast.Slice):
                for other in _other_slices(entry):
                    yield "slice", with_entries([*entries[:index], other, *entries[index + 1 :]])

    def _other_comprehensions(self, node) -> Iterator[tuple[str, ast.expr]]:
        first = node.generators[0]
        for index in range(len(first.ifs)):
            fewer = ast.comprehension(first.target, first.iter, _without(first.ifs, index), 0)
            yield "condition", type(node)(node.elt, [fewer, *node.generators[1:]])
        target = first.target.id if isinstance(first.target, ast.Name) else ""
        is_used = any(isinstance(one, ast.Name) and one.id == target for one in ast.walk(node.elt))
        if target and not is_used and _called(first.iter) == "range" and not first.ifs:
            yield (
                "shared",
                ast.BinOp(ast.List([node.elt], ast.Load()), ast.Mult(), first.iter.args[-1]),
            )

    def _cut_off(self, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """No gradient, where a value is kept or returned."""
        parent, name, _ = self._parents[node]
        if isinstance(parent, ast.Tuple):
            parent, name, _ = self._parents[parent]
        is_kept = isinstance(parent, ast.Assign | ast.Return) and name == "value"
        could_be_tensor = isinstance(node, ast.BinOp | ast.Call | ast.Name | ast.Subscript)
        if not is_kept or self._records_no_gradient(node):
            return
        if could_be_tensor and _called(node) not in NO_TENSOR:
            yield "detached", _method(node, "detach")

    def _is_used_again(self, node: ast.expr) -> bool:
        """Whether somebody could see that the value of an expression has changed."""
        while isinstance(node, ast.Call) and _called(node) in VIEWS:
            node = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0]
        if isinstance(node, ast.Attribute | ast.Subscript):
            return True
        if not isinstance(node, ast.Name):
            return False
        scope = self._function_of(node)
        if scope is None or node.id in _parameters(scope):
            return True
        parent = self._parents[node]
        while not isinstance(parent[0], ast.stmt):
            parent = self._parents[parent[0]]
        targets = parent[0].targets if isinstance(parent[0], ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id == node.id for target in targets):
            return False  # the value that was is not kept
        loads = [
            one
            for one in ast.walk(scope)
            if isinstance(one, ast.Name) and one.id == node.id and isinstance(one.ctx, ast.Load)
        ]
        return len(loads) > 1

    def _function_of(self, node: ast.AST) -> ast.FunctionDef | ast.Lambda | None:
        while node in self._parents:
            node = self._parents[node][0]
            if isinstance(node, FUNCTIONS):
                return node
        return None

    def _records_no_gradient(self, node: ast.AST) -> bool:
        while node in self._parents:
            node = self._parents[node][0]
            if isinstance(node, ast.With) and any(
                _called(item.context_expr) in ("no_grad", "inference_mode") for item in node.items
            ):
                return True
        return False

    # Names.

    def _other_names(self, node: ast.Name) -> list[str]:
        """Names bound in the same function before this place, the nearest by a hash first."""
        parent = self._parents[node][0]
        if isinstance(parent, ast.Call) and parent.func is node:
            return []
        bound = self._bound_before(node)
        if node.id not in bound or node.id == "self":
            return []
        others = sorted(bound - {node.id, "self", "_"}, key=lambda name: self._rank(node, name))
        return others[:NEARBY]

    def _rank(self, node: ast.expr, name: str) -> str:
        place = f"{node.lineno}|{node.col_offset}|{name}"
        return hashlib.sha256(place.encode()).hexdigest()

    def _bound_before(self, node: ast.AST) -> set[str]:
        found, inner = set(), node
        while inner in self._parents:
            scope = inner = self._parents[inner][0]
            if isinstance(scope, FUNCTIONS):
                found |= _parameters(scope)
                found |= {
                    one.id
                    for one in ast.walk(scope)
                    if isinstance(one, ast.Name)
                    and isinstance(one.ctx, ast.Store)
                    and one.lineno < node.lineno
                }
            elif isinstance(scope, COMPREHENSIONS):
                targets = [generator.target for generator in scope.generators]
                found |= {
                    one.id
                    for target in targets
                    for one in ast.walk(target)
                    if isinstance(one, ast.Name)
                }
        return found

    def _other_attributes(self, node: ast.Attribute) -> list[str]:
        if not isinstance(node.value, ast.Name) or _is_module(node.value):
            return []
        owner = node.value.id
        used = self._attributes[owner, self._class_of(node) if owner == "self" else None]
        others = sorted(used - {node.attr}, key=lambda name: self._rank(node, name))
        return others[:NEARBY] if node.attr in used else []

    @cached_property
    def _attributes(self) -> dict[tuple[str, ast.AST | None], set[str]]:
        """The attributes that are set on `self`, by class; and those that are read of others."""
        found = defaultdict(set)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = node.value.id
                parent = self._parents[node][0]
                is_method = isinstance(parent, ast.Call) and parent.func is node
                if owner == "self":
                    if isinstance(node.ctx, ast.Store):
                        found["self", self._class_of(node)].add(node.attr)
                elif not is_method:
                    found[owner, None].add(node.attr)
        return found

    def _class_of(self, node: ast.AST) -> ast.AST | None:
        while node in self._parents:
            node = self._parents[node][0]
            if isinstance(node, ast.ClassDef):
                return node
        return None

    # Statements.

    def _of_statement(self, node: ast.stmt) -> Iterator[_Edit]:
        match node:
            case ast.If():
                for kind, new in _other_tests(node.test):
                    yield from self._swap(kind, node.test, new)
            case ast.While():  # not always true, which would never end
                for kind, new in _other_tests(node.test):
                    if not (isinstance(new, ast.Constant) and new.value is True):
                        yield from self._swap(kind, node.test, new)
            case ast.For():
                listed = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
                one = ast.Constant(1)
                for cut in (ast.Slice(one), ast.Slice(None, ast.UnaryOp(ast.USub(), one))):
                    yield from self._swap("loop", node.iter, ast.Subscript(listed, cut, ast.Load()))
            case ast.With():
                head = self._at(node.lineno, node.col_offset)
                end = self.text.index(":", self._span(node.items[-1].context_expr)[1]) + 1
                yield self._edit("context", head, end, "if True:", node)
            case ast.Return(value=ast.Tuple(elts=elts)) if len(elts) > 1:
                for index in range(len(elts)):
                    rest = _without(elts, index)
                    new = rest[0] if len(rest) == 1 else ast.Tuple(rest, ast.Load())
                    yield from self._swap("result", node.value, new)
                for index in range(len(elts) - 1):
                    swapped = [*elts]
                    swapped[index : index + 2] = reversed(elts[index : index + 2])
                    yield from self._swap("result", node.value, ast.Tuple(swapped, ast.Load()))
            case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Tuple):
                wrapped = ast.Tuple([node.value], ast.Load())
                yield from self._swap("result", node.value, wrapped)
            case ast.AugAssign():
                start, end = self._span(node)
                left, right = map(self._words, (node.target, node.value))
                for op in OPERATORS.get(type(node.op), ()):
                    text = ast.unparse(ast.AugAssign(node.target, op(), node.value))
                    yield self._edit("operator", start, end, text, node)
                text = ast.unparse(ast.Assign([node.target], node.value, lineno=0))
                yield self._edit("operator", start, end, f"{left} = {right}", node)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if (
                isinstance(value.left, ast.Name)
                and value.left.id == name
                and self._is_used_again(value.left)
            ):
                start, end = self._span(node)
                text = ast.unparse(ast.AugAssign(ast.Name(name), value.op, value.right))
                yield self._edit("in place", start, end, text, node)
            case ast.Break() | ast.Continue():
                start, end = self._span(node)
                other = "continue" if isinstance(node, ast.Break) else "break"
                yield self._edit("jump", start, end, other, node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from self._without_decorators(node)
        self_is_all = self._parents[node][0] is self.tree
        if not self_is_all and not isinstance(node, ast.Pass):
            yield from self._left_out(node)
            yield from self._exchanged(node)
            yield from self._moved(node)

    def _without_decorators(self, node) -> Iterator[_Edit]:
        for one in node.decorator_list:
            start, end = self._starts[one.lineno - 1], self._starts[one.end_lineno]
            old = self.text[start:end].strip()
            yield _Edit("context", start, end, "", one.lineno, old, "(left out)")

    def _left_out(self, node: ast.stmt) -> Iterator[_Edit]:
        start, end = self._span(node)
        yield _Edit("statement", start, end, "pass", node.lineno, self._words(node), "(left out)")

    def _siblings(self, node: ast.stmt) -> tuple[list[ast.stmt], int]:
        parent, name, index = self._parents[node]
        return getattr(parent, name), index

    def _exchanged(self, node: ast.stmt) -> Iterator[_Edit]:
        body, index = self._siblings(node)
        if index + 1 == len(body) or isinstance(node, ast.FunctionDef | ast.ClassDef):
            return
        after = body[index + 1]
        if isinstance(after, ast.FunctionDef | ast.ClassDef) or _is_docstring(node):
            return
        if _are_apart(node, after):
            return
        (start, middle), (again, end) = self._span(node), self._span(after)
        text = self.text[again:end] + self.text[middle:again] + self.text[start:middle]
        one, other = self._words(node), self._words(after)
        old, new = f"{one}; {other}", f"{other}; {one}"
        yield _Edit("order", start, end, text, node.lineno, old, new)

    def _moved(self, node: ast.stmt) -> Iterator[_Edit]:
        """The last statement of a block after it, the one after a block into it."""
        body, index = self._siblings(node)
        parent = self._parents[node][0]
        start, end = self._starts[node.lineno - 1], self._ending(node)
        lines = self.text[start:end]
        words = self._words(node)
        is_block = isinstance(parent, ast.If | ast.For | ast.While | ast.With)
        if is_block and index + 1 == len(body) and body is _last_body(parent):
            left = "" if index else self._indent(node) + "pass\n"
            text = left + _indented(lines, self._indent(parent))
            new = f"(after `{self._words(parent)}`)"
            yield _Edit("block", start, end, text, node.lineno, words, new)
        if is_block and index == 0 and body is parent.body:
            first = self._starts[parent.lineno - 1]
            left = "" if len(body) > 1 else self._indent(node) + "pass\n"
            text = _indented(lines, self._indent(parent)) + self.text[first:start] + left
            new = f"(before `{self._words(parent)}`)"
            yield _Edit("block", first, end, text, node.lineno, words, new)
        before = body[index - 1] if index else None
        if isinstance(before, ast.If | ast.For | ast.While | ast.With):
            inside = _last_body(before)[-1]
            text = _indented(lines, self._indent(inside))
            new = f"(into `{self._words(before)}`)"
            yield _Edit("block", start, end, text, node.lineno, words, new)

    def _ending(self, node: ast.stmt) -> int:
        return self._starts[node.end_lineno]

    def _indent(self, node: ast.stmt) -> str:
        return " " * node.col_offset

    def _of_defaults(self, node: ast.arguments) -> Iterator[_Edit]:
        """The first default left out, which makes its parameter one that has to be given."""
        if not node.defaults:
            return
        default = node.defaults[0]
        first, start = self._span(_parameter(node, default))
        end = self._span(default)[1]
        yield self._edit("default", start, end, "", (first, end))


# Calls whose result no gradient flows through, or that is no tensor.
NO_TENSOR = {
    "Linear", "ModuleList", "Parameter", "arange", "argmax", "detach", "eval", "eye", "float",
    "full", "full_like", "int", "item", "len", "new_full", "new_zeros", "ones", "ones_like", "size",
    "train", "zeros", "zeros_like",
}  # fmt: skip


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_module(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES


def _parameters(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    of = node.args
    return {arg.arg for arg in (*of.posonlyargs, *of.args, *of.kwonlyargs)}


def _has(owner: ast.expr, name: str) -> bool:
    """Whether there is such a function: what torch and math lack, nobody writes."""
    known = {"torch": torch, "F": torch.nn.functional, "math": math}
    module = known.get(owner.id) if isinstance(owner, ast.Name) else None
    return module is None or hasattr(module, name)


def _parameter(node: ast.arguments, default: ast.expr) -> ast.arg:
    """The parameter that has the default."""
    pairs = zip(node.kwonlyargs, node.kw_defaults, strict=True)
    by_name = {id(value): parameter for parameter, value in pairs}
    named = [*node.posonlyargs, *node.args][-len(node.defaults) :] if node.defaults else []
    by_name |= {id(value): one for one, value in zip(named, node.defaults, strict=True)}
    return by_name[id(default)]


def _called(node: ast.AST) -> str:
    """The last part of the name of what a call calls."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", getattr(func, "id", ""))


def _method(node: ast.expr, name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(node, name, ast.Load()), list(args), [])


def _number(value: float) -> ast.expr:
    """As the parser has it: a minus is an operator."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _without(items: list, index: int) -> list:
    return items[:index] + items[index + 1 :]


def _other_tests(test: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inverted = test.operand
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        inverted = test  # other comparisons are a kind of their own
    else:
        inverted = ast.UnaryOp(ast.Not(), test)
    for new in (inverted, ast.Constant(True), ast.Constant(False)):
        yield "condition", new


def _other_conditions(node: ast.IfExp) -> Iterator[tuple[str, ast.expr]]:
    yield "condition", node.body
    yield "condition", node.orelse
    yield "condition", ast.IfExp(node.test, node.orelse, node.body)


def _other_slices(node: ast.Slice) -> Iterator[ast.Slice]:
    lower, upper, step = node.lower, node.upper, node.step
    one = ast.Constant(1)

    def shifted(bound: ast.expr) -> list[ast.expr]:
        try:
            value = ast.literal_eval(bound)
        except ValueError:
            return [ast.BinOp(bound, op, one) for op in (ast.Add(), ast.Sub())]
        return [_number(value + 1), _number(value - 1)] if isinstance(value, int) else []

    if lower:
        if ast.unparse(lower) != "0":
            yield ast.Slice(None, upper, step)
        yield from (ast.Slice(bound, upper, step) for bound in shifted(lower))
    if upper:
        yield ast.Slice(lower, None, step)
        yield from (ast.Slice(lower, bound, step) for bound in shifted(upper))
    if step:
        yield ast.Slice(lower, upper, None)
    if lower and not upper:
        yield ast.Slice(None, lower, step)
    if upper and not lower:
        yield ast.Slice(upper, None, step)
    if not lower and not upper and not step:
        yield ast.Slice(one, None, None)
        yield ast.Slice(None, ast.UnaryOp(ast.USub(), one), None)


def _are_apart(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the order of two statements cannot matter, or matters to Python alone.

    Two assignments that use nothing of each other; one of them may be a guard (an `if` that only
    raises), if the other calls nothing; and what comes before or after `super().__init__()`.
    """
    pair = (one, other)
    if any(isinstance(node, ast.Expr) and "super()" in ast.unparse(node) for node in pair):
        return True
    guards = [node for node in pair if _is_guard(node)]
    assignments = [node for node in pair if isinstance(node, ast.Assign)]
    if len(guards) + len(assignments) < 2:
        return False
    if guards and any(
        isinstance(part, ast.Call) for node in assignments for part in ast.walk(node)
    ):
        return False

    def texts(node: ast.AST, context: type) -> set[str]:
        return {
            ast.unparse(part)
            for part in ast.walk(node)
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
            and isinstance(part.ctx, context)
        }

    bound = [texts(node, ast.Store) for node in pair]
    used = [texts(node, ast.Load) | of for node, of in zip(pair, bound, strict=True)]
    names = all("[" not in text for of in bound for text in of)
    return names and not bound[0] & used[1] and not bound[1] & used[0]


def _is_guard(node: ast.stmt) -> bool:
    only_raises = isinstance(node, ast.If) and all(isinstance(one, ast.Raise) for one in node.body)
    return only_raises and not node.orelse


def _last_body(node: ast.stmt) -> list[ast.stmt]:
    return getattr(node, "orelse", None) or node.body


def _indented(lines: str, indent: str) -> str:
    return textwrap.indent(textwrap.dedent(lines if lines.endswith("\n") else lines + "\n"), indent)


def _code(line: str) -> str:
    """A line without its comment."""
    return line.partition("  #")[0].strip()


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
