"""Finds ways past the refusal of torch's own version of an exercise in a submission's code.

`transformer_workbook.shared.fence` refuses torch's own version while a component is probed, in the
process that runs the student's code. Code can get past that (compiled or scripted code, another
process, Python's internals). This module finds such code in the source, and makes it a remark for
the instructor.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from autograder.language import _
from autograder.sandbox.work import Cell

from .cell_code import parsed
from .model import Remark

# Attributes and imported names that are ways past by themselves.
WORDS = {
    "_C", "_VF", "_ops", "_refs", "_decomp", "_prims", "_dynamo", "_inductor", "_sa_block",
    "_mha_block", "_ff_block", "ops", "jit", "fx", "overrides", "library", "get_kernel",
    "cpp_extension", "CompilationUnit", "num_workers", "ProcessPoolExecutor",
    "create_subprocess_exec", "create_subprocess_shell", "fork", "forkpty", "popen", "posix_spawn",
    "posix_spawnp", "execv", "execve", "execvp", "execl", "spawnl", "spawnv", "get_objects",
    "get_referrers", "get_referents", "_getframe", "_current_frames", "currentframe", "settrace",
    "setprofile", "f_back", "f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame",
    "cr_frame", "__code__", "__globals__", "__closure__", "__kwdefaults__", "__subclasses__",
    "__builtins__", "__getattribute__", "__wrapped__", "FunctionType", "CodeType",
}  # fmt: skip
# Modules that no lesson needs; some libraries contain the exercise ready-made.
MODULES = {
    "cffi", "ctypes", "dill", "importlib", "marshal", "multiprocessing", "numba", "pickle",
    "pkgutil", "pty", "runpy", "subprocess", "flash_attn", "flax", "jax", "keras", "mlx",
    "onnxruntime", "tensorflow", "tinygrad", "transformers", "xformers",
}  # fmt: skip
BUILT_IN = {"exec", "eval", "compile", "__import__", "__builtins__", "__loader__", "__spec__"}
MEMBERS = {
    ("os", "*"), ("os", "system"), ("sys", "*"), ("sys", "modules"), ("inspect", "stack"),
    ("inspect", "trace"), ("torch", "export"), ("torch", "package"), ("torch", "hub"),
    ("torch.load", "weights_only"),
}  # fmt: skip
HARMLESS = {"_LRScheduler"}  # private to torch, but widely used
BY_NAME = {"getattr", "attrgetter", "methodcaller", "__getattr__", "__getattribute__"}
COMPUTED = _("a name that is computed")
MOST = 5  # names in one remark
LONGEST = 100  # characters of a name


def remarks(cells: Sequence[Cell]) -> list[Remark]:
    """A remark for each answer that has such a way in it, and one for all other cells."""
    trees = [(cell, *_read(cell.source)) for cell in cells]
    torch = {"torch", "nn", "F"}.union(*(_torch_aliases(tree) for _, tree, _ in trees))
    found: dict[str, dict[str, None]] = {}
    for cell, tree, rest in trees:
        names = [".".join(parts)[-LONGEST:] for parts in _named(tree) if _leads_past(parts, torch)]
        names += [word for word in re.findall(r"\w+", rest) if word in WORDS | MODULES | BUILT_IN]
        if names:
            answer = cell.name if cell.kind == "answer" else ""
            found.setdefault(answer, {}).update(dict.fromkeys(names))
    return [
        Remark("remark", "answer" if answer else "own",
               {"component": answer, "names": ", ".join([*names][:MOST])})
        for answer, names in found.items()
    ]  # fmt: skip


def _read(source: str) -> tuple[ast.AST, str]:
    """The code, and the text that is not Python: IPython's magics, or all of damaged code."""
    source = unicodedata.normalize("NFKC", source)
    tree = parsed(source)
    if tree is None:
        return ast.Module([], []), source
    return tree, "\n".join(re.findall(r"(?m)^[ \t]*[%!].*$", source))


def _torch_aliases(tree: ast.AST) -> set[str]:
    """The names that imports give to torch and to parts of it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                if (module or alias.name).partition(".")[0] == "torch":
                    found.add((alias.asname or alias.name).partition(".")[0])
    return found


def _named(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """The dotted names in the code."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for alias in node.names:
                    yield from _prefixes(alias.name.split("."))
            case ast.ImportFrom():
                module = node.module.split(".") if node.module else []
                for alias in node.names:
                    yield from _prefixes([*module, alias.name])
            case ast.Attribute():
                yield _path(node)
            case ast.Name(id=name) if name in BUILT_IN:
                yield (name,)
            case ast.keyword(arg="num_workers"):
                yield ("DataLoader", "num_workers")
            case ast.keyword(arg="weights_only", value=ast.Constant(value=False)):
                yield ("torch.load", "weights_only")  # unpickles, which runs code
            case ast.Subscript(value=owner, slice=key) if _is_table_of_names(owner):
                yield from _by_name([owner, key])
            case ast.Call(func=function, args=arguments) if _path(function)[-1] in BY_NAME:
                yield from _by_name(arguments)


def _by_name(arguments: list[ast.expr]) -> Iterator[tuple[str, ...]]:
    """The names that getattr and the like look up."""
    owner, names = (_path(arguments[0]), arguments[1:2]) if arguments[1:] else (("",), arguments)
    for name in names:
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield from _prefixes([*owner, *name.value.split(".")])
        elif owner[0] != "self":  # code often loops over an object's own attributes by name
            yield (COMPUTED,)


def _is_table_of_names(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="__dict__"):
            return True
        case ast.Call(func=ast.Name(id="vars" | "globals" | "locals")):
            return True
    return False


def _path(node: ast.expr) -> tuple[str, ...]:
    """The parts of a dotted name; an empty part stands for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return tuple(reversed(parts))


def _prefixes(parts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    parts = tuple(parts)
    return (parts[:end] for end in range(1, len(parts) + 1))


def _leads_past(parts: tuple[str, ...], torch: set[str]) -> bool:
    *owner, name = parts
    if name == COMPUTED or (not owner and name in BUILT_IN | MODULES):
        return True
    if not owner:
        return False
    return (
        name in WORDS
        or (owner[-1], name) in MEMBERS
        or (name == "compile" and owner[-1] != "re")
        or (owner[0] in torch and bool(re.match(r"_(?!_)", name)) and name not in HARMLESS)
    )
