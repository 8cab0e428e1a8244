"""The entry point of `python -m valletta_rules`, which runs the command line."""

import sys

from valletta_rules.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
