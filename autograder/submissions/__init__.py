"""Finds submissions in a folder or a zip, says whose they are, and rebuilds their notebooks."""
