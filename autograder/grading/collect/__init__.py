"""Finds submissions in a folder or a zip, and reads their notebooks within bounds."""
