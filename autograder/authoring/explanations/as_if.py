"""Wrong answers by what they take for granted: an argument is always 1, two are exchanged.

A statement at the beginning of a function changes what the function is given, so the change is one
of behaviour, however the function is written.
"""

import ast
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from transformer_workbook.shared.syntax import parse
from transformer_workbook.verdicts.diagnosis import Change

# What an argument without a default may be taken for; a change that makes no sense only crashes.
VALUES: tuple[Any, ...] = (0, 1, 2, 8, 0.1, None)
VALUES_LIKE: dict[type, tuple[Any, ...]] = {
    bool: (True, False),
    int: (0, 1, 2),
    float: (0.0, 0.1, 0.5, 1.0, 1e-5),
    type(None): (None,),
}
# A tensor that is changed on its way in. Nothing else has a dtype.
ON_ITS_WAY = {
    "first": "{name} = {name}[:1].expand_as({name}) if hasattr({name}, 'dtype') else {name}",
    "cut off": "{name} = {name}.detach() if hasattr({name}, 'dtype') else {name}",
    "turned": "{name} = ~{name} if str(getattr({name}, 'dtype', '')) == 'torch.bool' else {name}",
    "transposed": "{name} = {name}.transpose(-1, -2) if hasattr({name}, 'dtype') else {name}",
    "rounded": (
        "{name} = {name}.bfloat16().to({name}.dtype)"
        " if hasattr({name}, 'dtype') and {name}.is_floating_point() else {name}"
    ),
}


def as_if(source: str) -> Iterator[tuple[Change, str]]:
    """Each change, and the source that begins its functions with it."""
    for function in _functions(parse(source)):
        names = _parameters(function)
        for name, default in names.items():
            for value in _values(default):
                change = Change("always", {"name": name, "value": repr(value)})
                yield change, _begun(source, function, f"{name} = {value!r}")
            if function.name != "__init__":
                for kind, statement in ON_ITS_WAY.items():
                    begun = _begun(source, function, statement.format(name=name))
                    yield Change(kind, {"name": name}), begun
        for one, other in combinations(names, 2):
            begun = _begun(source, function, f"{one}, {other} = {other}, {one}")
            yield Change("exchanged", {"name": one, "other": other}), begun
            for name, instead in ((one, other), (other, one)):
                change = Change("instead", {"name": name, "other": instead})
                yield change, _begun(source, function, f"{name} = {instead}")


def as_if_of_parts(source: str) -> Iterator[tuple[Change, str]]:
    """Changes of what a module is made of, at the end of its constructor."""
    (node, *_rest) = parse(source).body
    if not isinstance(node, ast.ClassDef):
        return
    methods = {
        definition.name: definition
        for definition in node.body
        if isinstance(definition, ast.FunctionDef)
    }
    if not {"__init__", "forward"} <= methods.keys():
        return
    constructor, forward = methods["__init__"], methods["forward"]
    for kind, rate in (("no dropout", "0.0"), ("dropped twice", "1 - (1 - part.p) ** 2")):
        yield Change(kind, {"name": node.name}), _ended(source, constructor, (
            "for part in self.modules():",
            "    if isinstance(part, nn.Dropout):",
            f"        part.p = {rate}",
        ))  # fmt: skip
    parts = _parts(constructor)
    for name in parts:
        nothing = f"self.{name}.forward = lambda first, *_, **__: first"
        yield Change("does nothing", {"name": name}), _ended(source, constructor, (nothing,))
        yield Change("twice", {"name": name}), _ended(source, constructor, (
            f"once = self.{name}.forward",
            f"self.{name}.forward = lambda first, *more: once(once(first, *more), *more)",
        ))  # fmt: skip
        for other in parts:
            if other != name:
                put = f"self.{name} = self.{other}"
                change = Change("stands for", {"name": name, "other": other})
                yield change, _ended(source, constructor, (put,))
        for given in _parameters(forward):
            begun = _begun(source, forward, f"{given} = self.{name}({given})")
            yield Change("through", {"name": given, "other": name}), begun


def _parts(constructor: ast.FunctionDef) -> list[str]:
    """The attributes that a constructor sets by calling something: modules, most of them."""
    return [
        target.attr
        for node in constructor.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Attribute)
    ]


def _ended(source: str, function: ast.FunctionDef, statements: tuple[str, ...]) -> str:
    """The source with statements after the function's last one."""
    last = function.body[-1]
    lines = source.splitlines(keepends=True)
    end = last.end_lineno or last.lineno
    added = [" " * last.col_offset + statement + "\n" for statement in statements]
    return "".join([*lines[: end - 1], lines[end - 1].rstrip("\n") + "\n", *added, *lines[end:]])


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The function, or the methods of the class, that the source defines."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (child for child in node.body if isinstance(child, ast.FunctionDef))


def _parameters(function: ast.FunctionDef) -> dict[str, ast.expr | None]:
    """The parameters but `self`, each with its default."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(named) - len(arguments.defaults))
    pairs = zip(named, [*defaults, *arguments.defaults], strict=True)
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {arg.arg: default for arg, default in (*pairs, *keywords) if arg.arg != "self"}


def _values(default: ast.expr | None) -> tuple[Any, ...]:
    if default is None:
        return VALUES
    try:
        value = ast.literal_eval(default)
    except ValueError:
        return VALUES
    return tuple(dict.fromkeys([value, *VALUES_LIKE.get(type(value), ())]))


def _begun(source: str, function: ast.FunctionDef, statement: str) -> str:
    """The source with a statement before the function's first one, after its docstring."""
    body = function.body
    has_docstring = len(body) > 1 and ast.get_docstring(function) is not None
    first = body[1] if has_docstring else body[0]
    lines = source.splitlines(keepends=True)
    lines.insert(first.lineno - 1, " " * first.col_offset + statement + "\n")
    return "".join(lines)
