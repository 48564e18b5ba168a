"""What can be shown and proved: the demo course, and histories played through the real stores."""
