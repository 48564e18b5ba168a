"""What the product knows: the feedback contract and everything that keeps it.

Read in this order: `domain` (the words), `feedback` (which review the tutor is given),
`tutoring` (one turn), `review` (how a verdict comes about), `wiring` (how it is put together).
"""
