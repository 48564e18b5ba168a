"""Style: whose it is, which rules hold, how they are learned, and drafts that follow them."""
