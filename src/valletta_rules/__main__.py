"""The module that `python -m valletta_rules` runs: the command line."""

import sys

from valletta_rules.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
