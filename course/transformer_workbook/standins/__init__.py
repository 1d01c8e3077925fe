"""Stand-ins: every component of the course, made from PyTorch's built-in modules.

Each lesson builds on the components of earlier lessons. A stand-in replaces one that is missing or
wrong in a student's work, so that one failed blank never blocks or fails a later lesson. It has the
component's interface (constructor, parameter names, errors) and returns the right results, but it
is not built as the course builds the component, so it gives no solution away.

There is one module for each lesson, imported when it is needed:
`transformer_workbook.standins.attention`. It depends on PyTorch and on the stand-ins of earlier
lessons only. It binds the functions of PyTorch at import, so it works where a check forbids them to
the student's code.
"""
