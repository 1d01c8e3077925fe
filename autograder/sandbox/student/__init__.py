"""What runs on the student's side of the sandbox; each file is loaded by its path."""
