"""What is wrong with a student's evidence, why, and how it is said.

judge          one piece of evidence against the reference's: findings
diagnosis      which known mistake or change explains the findings of all cases
sketches       a few numbers that stand for recorded evidence, to compare with
signatures     what a wrong result has to do with the right one: turned round, a multiple, shifted
as_if          the sentences for recorded changes: "exactly as if eps were always 1"
marks          which statements somebody has written
meaning        what the results amount to, from the last four
explain        findings as sentences; crashes and grids serve it
lesson_index   reads what is recorded of a lesson
"""
