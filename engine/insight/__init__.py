"""Read models for the teacher's desk: SQL in, tidy values out; nothing here decides or is stored."""
