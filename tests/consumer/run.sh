#!/usr/bin/env bash
# The consumer contract: what is exported is what works.
#
# Builds the wheel, installs it with mypy, pyright and PyInstaller into a fresh environment, and there type-checks
# and runs a small package that uses it, outside this repository, and freezes a program.  PyInstaller wants objdump and a Python
# with a shared library.  Python may be chosen: PYTHON=python3.12.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH MYPYPATH
cp -R "$here" "$work/consumer"
"$python" -m venv "$work/venv"
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }

echo "building the wheel"
pip wheel --quiet --no-deps --wheel-dir "$work/wheels" "$repository"

echo "installing it"
pip install --quiet "$(echo "$work"/wheels/valletta_rules-*.whl)[frozen]" "mypy>=1.11" "pyright[nodejs]>=1.1.414"
pip install --quiet --no-deps "$work/consumer"

echo "looking at what an index shows"
"$work/venv/bin/python" - <<'END'
import re
from importlib.metadata import metadata

told = metadata("valletta-rules")
assert told["Description-Content-Type"] == "text/markdown"
text = told.get_payload()
assert "# valletta-rules" in text and "vr.legal_actions(state)" in text
assert not (relative := re.findall(r"\]\((?!https?:)[^)]*\)", text)), relative
END

cd "$work/consumer" # the repository is out of reach from here
echo "checking the types"
"$work/venv/bin/mypy"
"$work/venv/bin/pyright" --warnings

cd / # and so are the sources of the consumer
echo "running it"
"$work/venv/bin/python" -I -W error -m valletta_consumer --must-be-under "$work/venv"
"$work/venv/bin/valletta" --seed 7 --quiet >/dev/null
"$work/venv/bin/valletta" cards --template >/dev/null
"$work/venv/bin/valletta" trace - < <(printf 'valletta: 2\nplayers: 2\n\nchance: deal A\n') | grep "^ *SET-11: " >/dev/null
"$work/venv/bin/valletta" rule BLD-6 --formal | grep "pure def discount" >/dev/null # which reads to the end

echo "freezing a program"
mkdir "$work/freezing" "$work/elsewhere"
(cd "$work/freezing" && "$work/venv/bin/pyinstaller" --log-level ERROR "$here/frozen.py")
mv "$work/freezing/dist/frozen" "$work/frozen"
rm -r "$work/venv" "$work/freezing" # nothing of which it may need
(cd "$work/elsewhere" && env -i "$work/frozen/frozen" >"$work/said") || { tail -n 20 "$work/said"; exit 1; }
grep "^ *TRN-" "$work/said" >/dev/null
