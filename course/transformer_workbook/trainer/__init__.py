"""Training around the student's own components: runs, checkpoints, number words, speed."""
