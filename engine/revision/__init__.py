"""Revision: a chain of versions, what changed between two of them, edits by conversation, and learned style."""
