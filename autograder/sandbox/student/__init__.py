"""What runs on the student's side of the sandbox; see `start.py`."""
