"""What an instructor asks for on the command line: grade, export."""
