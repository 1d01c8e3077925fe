"""What people read: feedback, tables, the report on the class, the terminal."""
