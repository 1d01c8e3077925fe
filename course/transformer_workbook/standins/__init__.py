"""Stand-ins: every component of the course, made from what PyTorch has ready.

Each lesson builds on the components of the lessons before it. Where one of these is missing or
wrong in a student's work, its stand-in takes its place, so that one blank that failed never
blocks or fails a later lesson. A stand-in keeps the contract of its component (the same
constructor, the same names of parameters, the same errors) and answers as a right one would;
it is not how the course builds the component, and it is no place to look for an answer.

One module a lesson, imported by name when it is needed: `transformer_workbook.standins.attention`.
A stand-in is built on PyTorch and on the stand-ins of earlier lessons alone. It takes the
functions of PyTorch that it calls when it is imported, so it goes on working where a check has
made these unavailable to the student's code.
"""
