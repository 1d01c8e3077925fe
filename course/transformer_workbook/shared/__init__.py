"""What the check and the grader share: how components are called, and what comes of it."""
