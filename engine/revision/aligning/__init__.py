"""Which parts of two texts belong together: tokens, the heaviest common ones, and where a change is told."""
