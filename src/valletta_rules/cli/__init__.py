"""The commands of `valletta`, which is also called as `python -m valletta_rules`."""
