"""What a student calls beside a blank: check, hint, progress, finish."""
