"""What models are told. Each text is a constant with a version made from its own bytes."""
