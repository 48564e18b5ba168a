"""A difference as people read it: rows, marks, labels, HTML and patches."""
