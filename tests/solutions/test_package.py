import ast
import importlib
from pathlib import Path

import transformer

FOLDER = Path(transformer.__file__).parent
IMPORTS = {"import math", "import torch", "from torch import nn"}
IMPORTS |= {"from torch.nn import functional as F"}


def trees():
    return {path.name: ast.parse(path.read_text("utf-8")) for path in FOLDER.glob("*.py")}


def test_every_component_is_exported():
    defined = {
        node.name
        for name, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    assert defined == set(transformer.__all__)
    assert all(hasattr(transformer, name) for name in transformer.__all__)


def test_each_module_holds_imports_and_components_alone():
    """A lesson quotes a component into a cell, where nothing else of its module exists."""
    for name, tree in trees().items():
        if name == "__init__.py":
            continue
        for node in tree.body[1:]:
            if isinstance(node, ast.ImportFrom) and node.module.startswith("transformer."):
                module = importlib.import_module(node.module)
                for alias in node.names:
                    assert alias.asname is None
                    assert getattr(module, alias.name).__module__ == node.module
            elif isinstance(node, ast.Import | ast.ImportFrom):
                assert ast.unparse(node) in IMPORTS, name
            else:
                assert isinstance(node, ast.ClassDef | ast.FunctionDef), name
                assert ast.get_docstring(node), f"{name}: {node.name}"


def test_lines_fit_into_a_cell():
    for path in FOLDER.glob("*.py"):
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 150, path.name
        assert max(map(len, lines)) <= 96, path.name
