"""Courses: the file an author writes, and what decides in a task's rubric."""
