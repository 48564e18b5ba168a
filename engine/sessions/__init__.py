"""Conversations, turns, messages, receipts and drafts: what tutoring and revision share."""
