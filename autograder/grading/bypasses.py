"""Finds code in a submission that can get round the refusal of torch's own version of an exercise.

`transformer_workbook.shared.forbidden_calls` refuses torch's own version while a component is
probed, in the process that runs the student's code. The same process gathers what a probe measures.
Code can get past the refusal (compiled or scripted code, another process) and change the
measurement (frames, the garbage collector, builtins). This module finds such code in the source;
`bypass_remarks` makes it a remark.

It runs in a process that may be killed, and imports little.
"""

import ast
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

import transformer_workbook
from autograder.language import _
from autograder.lesson.cell_code import python_of
from transformer_workbook.shared.forbidden_calls import aliases
from transformer_workbook.shared.syntax import parse

# Names that lead to the code that measures: a remark in every lesson. Attributes and imports:
INTERNALS = {
    "get_objects", "get_referrers", "get_referents", "_getframe", "_current_frames", "currentframe",
    "settrace", "setprofile", "f_back", "f_globals", "f_locals", "f_builtins", "tb_frame",
    "gi_frame", "cr_frame", "__code__", "__globals__", "__closure__", "cell_contents",
    "__kwdefaults__", "__self__", "__subclasses__", "__builtins__", "__getattribute__",
    "__wrapped__", "__init_subclass__", "__set_name__", "FunctionType", "CodeType", "meta_path",
    "path_hooks", "run_cell_magic", "run_line_magic",
}  # fmt: skip
INTERNAL_MODULES = {
    "autograder", "student", "builtins", "cffi", "ctypes", "importlib", "marshal", "pkgutil",
    "runpy",
}  # fmt: skip
INTERNAL_MEMBERS = {("sys", "*"), ("sys", "modules"), ("inspect", "stack"), ("inspect", "trace")}
BUILT_IN = {"exec", "eval", "compile", "__import__", "__builtins__", "__loader__", "__spec__"}
# Names that lead past the refusal, where there is one.
PAST_REFUSAL = {
    "_C", "_VF", "_ops", "_refs", "_decomp", "_prims", "_dynamo", "_inductor", "_sa_block",
    "_mha_block", "_ff_block", "ops", "jit", "fx", "overrides", "library", "get_kernel",
    "cpp_extension", "CompilationUnit", "num_workers", "ProcessPoolExecutor",
    "create_subprocess_exec", "create_subprocess_shell", "fork", "forkpty", "popen", "posix_spawn",
    "posix_spawnp", "execv", "execve", "execvp", "execl", "spawnl", "spawnv",
}  # fmt: skip
# Modules that no lesson needs; some libraries contain the exercise ready-made.
MODULES = {
    "dill", "multiprocessing", "numba", "pickle", "pty", "subprocess", "flash_attn", "flax", "jax",
    "keras", "mlx", "onnxruntime", "tensorflow", "tinygrad", "transformers", "xformers",
}  # fmt: skip
MEMBERS = {
    ("os", "*"), ("os", "system"), ("torch", "export"), ("torch", "package"), ("torch", "hub"),
    ("torch.load", "weights_only"), ("timeit", "a text"),
}  # fmt: skip
HARMLESS = {"_LRScheduler"}  # private to torch, but widely used
BY_NAME = {"getattr", "attrgetter", "methodcaller", "__getattr__", "__getattribute__"}
TIMED = {"timeit", "repeat", "Timer"}  # they run texts as code
PUBLIC = {*transformer_workbook.__all__, "__version__"}
COMPUTED = _("a name that is computed")
LONGEST = 100  # characters of a name


def ways_in(
    cells: Sequence[tuple[str, str, str]], forbidden: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The names that lead round the refusal, by answer; "" stands for all other cells.

    A cell is its kind, name and source.
    """
    trees = [(kind, name, *_read(source)) for kind, name, source in cells]
    torch = {"torch", "nn", "F"}.union(*(_aliases(tree, "torch") for *_, tree, _ in trees))
    course = {"wb", transformer_workbook.__name__}.union(
        *(_aliases(tree, transformer_workbook.__name__) for *_, tree, _ in trees)
    )
    suspicious = INTERNALS | INTERNAL_MODULES | BUILT_IN
    if any(forbidden.values()):
        suspicious |= PAST_REFUSAL | MODULES
    names_by_answer: dict[str, dict[str, None]] = {}
    for kind, name, tree, rest in trees:
        answer = name if kind == "answer" else ""
        functions = [forbidden.get(answer, ())] if answer else list(forbidden.values())
        refused = {alias.rpartition(".")[2] for names in functions for alias in aliases(names)}
        names = [
            ".".join(parts)[-LONGEST:]
            for parts in _dotted_names(tree)
            if _leads_inside(parts, course)
            or (any(forbidden.values()) and _leads_past(parts, torch, refused))
        ]
        names += [word for word in re.findall(r"\w+", rest) if word in suspicious]
        if names:
            names_by_answer.setdefault(answer, {}).update(dict.fromkeys(names))
    return {answer: list(names) for answer, names in names_by_answer.items()}


def _read(source: str) -> tuple[ast.AST, str]:
    """The code, and the text that is not Python: IPython's magics, or all of damaged code.

    All of the source is read, however large or deep it is: a part that is not searched could hide
    code. Raises RecursionError and MemoryError.
    """
    source = unicodedata.normalize("NFKC", source)
    try:
        tree = parse(python_of(source))
    except (SyntaxError, ValueError):
        return ast.Module([], []), source
    return tree, "\n".join(re.findall(r"(?m)^[ \t]*[%!].*$", source))


def _aliases(tree: ast.AST, package: str) -> set[str]:
    """The names that imports give to a package and to parts of it."""
    aliases = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None) or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}" if module else alias.name
                is_package = whole == package or package == "torch"
                if whole.partition(".")[0] == package and is_package:
                    aliases.add((alias.asname or alias.name).partition(".")[0])
    return aliases


def _dotted_names(tree: ast.AST) -> Iterator[tuple[str, ...]]:
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
            case ast.Name(id=name) if name in BUILT_IN | INTERNALS:
                yield (name,)
            case ast.FunctionDef(name=name) if name in INTERNALS:
                yield (name,)
            case ast.Constant(value=str(text)) if named := INTERNALS & set(_WORD.findall(text)):
                yield from ((name,) for name in sorted(named))
            case ast.Call(func=function, args=[ast.Constant() | ast.JoinedStr(), *_rest]) if (
                _path(function)[-1] in TIMED
            ):
                yield ("timeit", "a text")
            case ast.keyword(arg="num_workers"):
                yield ("DataLoader", "num_workers")
            case ast.keyword(arg="weights_only", value=ast.Constant(value=False)):
                yield ("torch.load", "weights_only")  # unpickles, which runs code
            case ast.Subscript(value=owner, slice=key) if _is_table_of_names(owner):
                yield from _looked_up_names([owner, key])
            case ast.Call(func=function, args=arguments) if _path(function)[-1] in BY_NAME:
                yield from _looked_up_names(arguments)


_WORD = re.compile(r"\w+")


def _looked_up_names(arguments: list[ast.expr]) -> Iterator[tuple[str, ...]]:
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


def _leads_inside(parts: tuple[str, ...], course: set[str]) -> bool:
    """Whether a name leads to the code that measures an answer."""
    *owner, name = parts
    if name in INTERNALS or (not owner and name in BUILT_IN | INTERNAL_MODULES):
        return True
    if not owner:
        return False
    is_of_the_course = owner[-1] in course and len(owner) == 1
    return (owner[-1], name) in INTERNAL_MEMBERS or (is_of_the_course and name not in PUBLIC)


def _leads_past(parts: tuple[str, ...], torch: set[str], refused: set[str]) -> bool:
    """Whether a name leads past the refusal of torch's own version, or names that version."""
    *owner, name = parts
    if not owner:
        return name in MODULES or name == COMPUTED
    return (
        name in PAST_REFUSAL
        or (owner[-1], name) in MEMBERS
        or (name == "compile" and owner[-1] != "re")
        or (owner[0] in torch and name in refused)
        or (owner[0] in torch and bool(re.match(r"_(?!_)", name)) and name not in HARMLESS)
    )
