"""The autograder: builds the course, proves its checks, grades submissions."""
