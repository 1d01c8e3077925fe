"""What is wrong with a student's evidence, why, and how it is said.

- `compare`: evidence with the reference's; returns findings
- `case_results`: the findings of all cases, and the misconception that explains them
- `component_results`: the same of one component, from what is recorded with the course
- `evidence_sketches`: a few numbers that stand for recorded evidence, to compare with
- `misconception_text`: which of a misconception's two texts is true of an answer
- `statement_hashes`: whether somebody has written a statement
- `diagnosis`: why a component fails, as a check and the grader tell it
- `finding_sentences`: findings as sentences, with the help of crashes and grids
- `recorded_lessons`: the files of a lesson that ship with the package
"""
