"""The checks by which a rule decides a criterion: one small file each, found by `registry`.

To add one: write the function `(evidence, params) -> Finding` and `CHECK`, with its parameters and its
words, in a file of its own, and a test module of the same name; a test names what is missing.
"""
