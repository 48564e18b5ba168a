"""Edits by conversation: what is asked for, what may be touched, and what came of it."""
