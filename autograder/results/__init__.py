"""What every step of grading passes on, and where it is kept: submissions, remarks, totals, OUT."""
