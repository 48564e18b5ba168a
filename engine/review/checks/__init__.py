"""The checks by which a rule decides a criterion: one small file each, all listed in `registry`.

To add one: write the function `(evidence, params) -> Finding` in a file of its own, list it in
`registry.py`, and word its new codes in `engine/review/wording.py`; a test names what is missing.
"""
