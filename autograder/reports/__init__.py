"""What people read: feedback, the report on the class, the terminal."""
