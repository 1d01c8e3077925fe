"""What an instructor asks for on the command line: collect, grade, export."""
