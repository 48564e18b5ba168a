"""One tutor turn: what the model is given, what it answered, and how it ended."""
