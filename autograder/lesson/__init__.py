"""What a lesson is: its folder read and checked, its notebooks derived."""
