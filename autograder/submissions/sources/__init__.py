"""Finds whose file each is in what an LMS gives, by its names and folders."""
