"""Runs submissions and judges them: here, or on a cluster, with one result."""
