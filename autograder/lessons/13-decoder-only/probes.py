"""How the lesson's components are called. Students receive this file: no expected answer is in it."""

from transformer_workbook.shared.words import says


@says({"output": "the result"})  # what a learner reads, for each piece of evidence
def call(apply_rotary, x, base):
    return {"output": apply_rotary(x, base)}
