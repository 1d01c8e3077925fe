"""The student's own code, saved when its check passes and used by later lessons."""
