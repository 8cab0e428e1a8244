"""The command `valletta`, which can also be called as `python -m valletta_rules`."""
