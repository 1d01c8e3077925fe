"""Writes grades and feedback in the forms that LMSs and spreadsheets take."""
