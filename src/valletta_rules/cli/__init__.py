"""The command line: `python -m valletta_rules`."""
