"""The contract: what the newest review says now, and how much of it stands in a request."""
