"""Verdicts: a submission's evidence compared with that of the reference and of known mistakes."""
