"""Code that the check and the grader share: it calls components and collects evidence."""
