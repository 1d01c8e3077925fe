"""Finds files in folders and zips, and what their names and places say."""
