"""What of each lesson runs in the notebook: a folder for each, named as the lesson is.

`probes.py` says how the lesson's components are called. `standins.py` makes them from PyTorch's
built-in modules: each lesson builds on the components of earlier lessons, and a stand-in replaces
one that is missing or wrong in a student's work, so that one failed blank never blocks or fails a
later lesson. It has the component's interface (constructor, parameter names, errors) and returns
the right results, but it is not built as the course builds the component, so it gives no solution
away. It depends on PyTorch and on the stand-ins of earlier lessons only, and binds the functions of
PyTorch at import, so it works where a check forbids them to the student's code.

What else a folder holds is the lesson's own: pictures, games, models. `number_words` is the story
that many lessons share.
"""
