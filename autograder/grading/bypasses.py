"""Finds code in a submission that can get round the refusal of torch's own version of an exercise.

`transformer_workbook.shared.forbidden_calls` refuses torch's own version while a component is
probed, in the process that runs the student's code. The same process gathers what a probe measures.
Code can get past the refusal (compiled or scripted code, another process) and change the
measurement (frames, the garbage collector, builtins). This module finds such code in the source, by
what lessons need rather than by what could be misused; `bypass_remarks` makes it a remark.

It runs in a process that may be killed, and imports little.
"""

import ast
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch

import transformer_workbook
from autograder.language import _
from autograder.lesson.cell_code import python_of
from transformer_workbook.shared.forbidden_calls import aliases
from transformer_workbook.shared.syntax import parse

# What lessons need, and what people use beside it. All other modules and members are told of: a
# module can be the student's own, or contain the exercise ready-made.
MODULES = {
    "IPython", "__future__", "abc", "collections", "contextlib", "copy", "dataclasses", "datetime",
    "einops", "enum", "functools", "gc", "glob", "heapq", "io", "ipywidgets", "itertools", "json",
    "logging", "math", "matplotlib", "numbers", "numpy", "operator", "os", "pathlib", "pprint",
    "random", "re", "sacrebleu", "safetensors", "scipy", "seaborn", "statistics", "string", "sys",
    "textwrap", "time", "tokenizers", "torch", "tqdm", "transformer_workbook", "typing",
    "typing_extensions", "unicodedata", "urllib", "warnings", "zipfile",
}  # fmt: skip
MEMBERS = {
    "sys": {"argv", "executable", "exit", "float_info", "getsizeof", "maxsize", "platform",
            "stderr", "stdout", "version", "version_info"},
    "os": {"cpu_count", "environ", "getcwd", "getenv", "listdir", "makedirs", "path", "remove"},
    "torch.utils": {"checkpoint", "data"},
    transformer_workbook.__name__: {*transformer_workbook.__all__, "__version__"},
}  # fmt: skip
TORCH = {  # torch's modules: what else it has are functions and types
    "amp", "autograd", "backends", "cpu", "cuda", "distributions", "fft", "func", "linalg", "mps",
    "nn", "optim", "random", "special", "testing", "types", "utils", "version",
}  # fmt: skip
TORCH_FOLDER = Path(torch.__path__[0])
# Names that lead to the code that measures, or to code by name: a remark in every lesson.
INTERNALS = {
    "get_objects", "get_referrers", "get_referents", "_getframe", "_current_frames", "currentframe",
    "settrace", "setprofile", "f_back", "f_globals", "f_locals", "f_builtins", "tb_frame",
    "gi_frame", "cr_frame", "__code__", "__globals__", "__closure__", "cell_contents",
    "__kwdefaults__", "__self__", "__subclasses__", "__builtins__", "__getattribute__",
    "__wrapped__", "__init_subclass__", "__set_name__", "FunctionType", "CodeType", "meta_path",
    "path_hooks", "run_cell_magic", "run_line_magic", "attrgetter", "methodcaller",
}  # fmt: skip
BUILT_IN = {
    "exec", "eval", "compile", "globals", "locals", "__import__", "__builtins__", "__loader__",
    "__spec__", "autograder", "student",
}  # fmt: skip
# Names that lead past the refusal, where there is one.
PAST_REFUSAL = {"compile", "ops", "CompilationUnit", "num_workers", "allow_pickle", "weights_only"}
HARMLESS = {"_LRScheduler", "_parameters", "_modules", "_buffers"}  # private, but widely used
OF_AN_OWN_OBJECT = {"self", "cls"}
BY_NAME = {"getattr", "__getattr__"}
COMPUTED = _("a name that is computed")
LONGEST = 100  # characters of a name

Parts = tuple[str, ...]  # of a dotted name; an empty part stands for any other expression


def ways_in(
    cells: Sequence[tuple[str, str, str]], forbidden: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The names that lead round the refusal, by answer; "" stands for all other cells.

    A cell is its kind, name and source.
    """
    trees = [(kind, name, *_read(source)) for kind, name, source in cells]
    meant: dict[str, Parts] = {
        "F": ("torch", "nn", "functional"), "nn": ("torch", "nn"),
        "wb": (transformer_workbook.__name__,),
    }  # fmt: skip
    for _kind, _name, tree, _rest in trees:
        meant |= _renamed(tree)
    names_by_answer: dict[str, dict[str, None]] = {}
    for kind, name, tree, rest in trees:
        answer = name if kind == "answer" else ""
        functions = [forbidden.get(answer, ())] if answer else list(forbidden.values())
        refused = {alias.rpartition(".")[2] for names in functions for alias in aliases(names)}
        written = [tuple(word.split(".")) for word in re.findall(r"[\w.]+", rest)]
        names = [
            ".".join(parts).removeprefix("import.")[-LONGEST:]
            for parts in (*_dotted_names(tree), *written)
            for whole in [_whole(parts, meant)]
            if _leads_inside(whole) or (any(forbidden.values()) and _leads_past(whole, refused))
        ]
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


def _renamed(tree: ast.AST) -> dict[str, Parts]:
    """What the names stand for that imports and plain assignments give to modules."""
    meant: dict[str, Parts] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                for alias in node.names:
                    if alias.asname:
                        meant[alias.asname] = tuple(alias.name.split("."))
            case ast.ImportFrom(module=str(module)):
                for alias in node.names:
                    meant[alias.asname or alias.name] = (*module.split("."), alias.name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute()):
                meant.setdefault(name, _path(node.value))
    return meant


def _whole(parts: Parts, meant: Mapping[str, Parts]) -> Parts:
    """A dotted name that begins with a module, where it is a part of one."""
    seen = set[str]()
    while parts[0] in meant and parts[0] not in seen:
        seen.add(parts[0])
        parts = (*meant[parts[0]], *parts[1:])
    return parts


def _dotted_names(tree: ast.AST) -> Iterator[Parts]:
    """The dotted names in the code."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    plain = {id(node.func) for node in calls if node.args[1:] or _is_own(node.args[0])}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (("import", *alias.name.split(".")) for alias in node.names)
            case ast.ImportFrom():
                module = (node.module or "").split(".") if not node.level else [""]
                yield from (("import", *module, alias.name) for alias in node.names)
            case ast.Attribute():
                yield _path(node)
            case ast.MatchClass(cls=owner, kwd_attrs=names):
                yield from ((*_path(owner), name) for name in names)
            case ast.Name(id="getattr" | "vars" as name) if id(node) not in plain:
                yield "import", name
            case ast.Name(id=name) if name in BUILT_IN | INTERNALS:
                yield (name,)
            case ast.FunctionDef(name=name) if name in INTERNALS:
                yield (name,)
            case ast.Constant(value=str(text)) if named := INTERNALS & set(_WORD.findall(text)):
                yield from ((name,) for name in sorted(named))
            case (
                ast.keyword(arg="num_workers" | "allow_pickle" as name)
                | ast.keyword(arg="weights_only" as name, value=ast.Constant(value=False))
            ):
                yield "torch", name  # other processes, or code that is unpickled
            case ast.Call(func=called, args=[owner, key, *_rest]) if _path(called)[-1] in BY_NAME:
                yield _looked_up(owner, key)


_WORD = re.compile(r"\w+")


def _looked_up(owner: ast.expr, key: ast.expr) -> Parts:
    """The name that getattr and the like look up."""
    match key:
        case ast.Constant(value=str(name)):
            return (*_path(owner), *name.split("."))
    # Code often loops over an object's own attributes by name.
    return ("self",) if _is_own(owner) else (COMPUTED,)


def _is_own(node: ast.expr) -> bool:
    return _path(node)[0] in OF_AN_OWN_OBJECT


def _path(node: ast.expr) -> Parts:
    """The parts of a dotted name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return tuple(reversed(parts))


def _leads_inside(parts: Parts) -> bool:
    """Whether a name leads to the code that measures an answer, or to code that is not seen."""
    if parts[0] == "import":
        parts = parts[1:]
        if parts[:1] and parts[0] not in MODULES:
            return True
    owner, name = ".".join(parts[:-1]), parts[-1] if parts else ""
    if name in INTERNALS or (not owner and name in BUILT_IN):
        return True
    if name == "__dict__" and owner not in OF_AN_OWN_OBJECT:
        return True
    return any(
        name not in MEMBERS.get(".".join(parts[:place]), {name})
        for place, name in enumerate(parts[:3])
    )


def _leads_past(parts: Parts, refused: set[str]) -> bool:
    """Whether a name leads past the refusal of torch's own version, or names that version."""
    parts = parts[1:] if parts[0] == "import" else parts
    *owner, name = parts or ("",)
    if not owner:
        return name == COMPUTED
    if owner[0] == "torch" and (name in refused or _is_other_module(parts[1])):
        return True
    is_private = bool(re.match(r"_(?!_)", name)) and owner[-1] not in OF_AN_OWN_OBJECT
    return (name in PAST_REFUSAL and owner[0] != "re") or (is_private and name not in HARMLESS)


def _is_other_module(name: str) -> bool:
    """Whether a name in torch is a module that no lesson needs."""
    paths = TORCH_FOLDER / name, TORCH_FOLDER / f"{name}.py"
    return name not in TORCH and any(map(os.path.exists, paths))  # no name is too long
