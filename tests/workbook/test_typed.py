"""What notebooks call says what it takes and returns: editors show it, and help() prints it."""

import inspect
from collections.abc import Iterator

import transformer_workbook as wb


def functions(path: str, owner: object, seen: set[int]) -> Iterator[tuple[str, object]]:
    """The functions that notebooks can reach from `owner`, methods included, by path."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if inspect.ismodule(owner):
        own = [name for name, one in vars(owner).items() if _is_own(one, owner.__name__)]
        for name in getattr(owner, "__all__", own):
            yield from functions(f"{path}.{name}", getattr(owner, name), seen)
    elif inspect.isclass(owner) and _is_own(owner, wb.__name__):
        for name, one in vars(owner).items():
            if inspect.isfunction(one) and (not name.startswith("_") or name == "__init__"):
                yield from functions(f"{path}.{name}", one, seen)
    elif inspect.isfunction(owner):
        yield path, owner


def _is_own(thing: object, module: str) -> bool:
    return (getattr(thing, "__module__", None) or "").startswith(module)


def test_each_function_that_notebooks_call_names_its_types():
    found = dict(functions("wb", wb, set()))
    assert {"wb.check", "wb.show.heat_map", "wb.translation.Translator.translate"} <= set(found)
    without = [
        f"{path}: {name}"
        for path, function in found.items()
        for name, annotation in [
            *(
                (one.name, one.annotation)
                for one in inspect.signature(function).parameters.values()
            ),
            ("what it returns", inspect.signature(function).return_annotation),
        ]
        if annotation is inspect.Parameter.empty and name not in ("self", "cls")
    ]
    assert without == []
