"""What a student calls beside a blank: check, hint, answer, progress."""
