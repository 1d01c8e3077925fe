"""What the check and the grader share: probes called, evidence, verdicts, sentences."""
