"""How handed-in work becomes a verdict that stands on evidence."""
