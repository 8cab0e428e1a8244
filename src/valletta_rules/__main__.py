"""`python -m valletta_rules` is the command line."""

import sys

from valletta_rules.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
