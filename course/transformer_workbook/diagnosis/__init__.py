"""What is wrong with a student's evidence, why, and how it is said.

compare            evidence with the reference's; returns findings
match              which recorded misconception explains the findings of all cases
sketches           a few numbers that stand for recorded evidence, to compare with
signatures         how a wrong result relates to the right one: inverted, a multiple, shifted
unused             what an answer computes and never uses
statement_hashes   whether somebody has written a statement
diagnosis          why a component fails
diagnose           a component, from the recorded evidence and the modules above
finding_sentences  findings as sentences, with the help of crashes and grids
recorded_lessons   the files of a lesson that ship with the package
"""
