"""Starts a module of this folder in a process without the rest of the grader.

    python start.py MODULE ARGUMENT

loads this folder as the package `student`, and calls `main(ARGUMENT)` of the module: `server` or
`try_out`. Nothing is added to `sys.path`, so the grader and the solutions cannot be imported.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys

if __name__ == "__main__":
    spec = importlib.machinery.ModuleSpec("student", None, is_package=True)
    spec.submodule_search_locations = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["student"] = importlib.util.module_from_spec(spec)
    importlib.import_module(f"student.{sys.argv[1]}").main(sys.argv[2])
