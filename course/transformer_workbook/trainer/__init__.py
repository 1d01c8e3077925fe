"""Training around the student's own components: runs and their checkpoints."""
