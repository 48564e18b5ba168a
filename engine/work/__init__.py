"""Texts, versions and submissions: what tutoring, review and revision share."""
