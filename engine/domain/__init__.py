"""Frozen values and the words of the glossary. Standard library only; knows nothing of storage."""
