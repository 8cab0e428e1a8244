#!/usr/bin/env bash
# Test the wheel from the outside, as a package that depends on it.
#
# The script builds the wheel, and installs it with mypy, pyright and PyInstaller into a new environment.  Outside this
# repository, it type-checks and runs a small package that uses the public names.  It also freezes a program with
# PyInstaller, which needs objdump and a Python with a shared library.  PYTHON=python3.12 chooses a Python.
set -euo pipefail
script_dir=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$script_dir/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH MYPYPATH
cp -R "$script_dir" "$work/consumer"
"$python" -m venv "$work/venv"
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }

echo "building the wheel"
pip wheel --quiet --no-deps --wheel-dir "$work/wheels" "$repository"

echo "installing the wheel and the consumer"
pip install --quiet "$(echo "$work"/wheels/valletta_rules-*.whl)[frozen]" "mypy>=1.11" "pyright[nodejs]>=1.1.414"
pip install --quiet --no-deps "$work/consumer"

echo "checking the description for package indexes"
"$work/venv/bin/python" - <<'END'
import re
from importlib.metadata import metadata

fields = metadata("valletta-rules")
assert fields["Description-Content-Type"] == "text/markdown"
text = fields.get_payload()
assert "# valletta-rules" in text and "vr.legal_actions(state)" in text
assert not (relative := re.findall(r"\]\((?!https?:)[^)]*\)", text)), relative
END

cd "$work/consumer" # outside the repository
echo "checking the types"
"$work/venv/bin/mypy"
"$work/venv/bin/pyright" --warnings

cd / # outside the sources of the consumer, too
echo "running the consumer"
"$work/venv/bin/python" -I -W error -m valletta_consumer --environment "$work/venv"
"$work/venv/bin/valletta" --seed 7 --quiet >/dev/null
"$work/venv/bin/valletta" cards --template >/dev/null
"$work/venv/bin/valletta" trace - < <(printf 'valletta: 2\nplayers: 2\n\nchance: deal A\n') | grep "^ *SET-11: " >/dev/null
"$work/venv/bin/valletta" rule BLD-6 --formal | grep "pure def discount" >/dev/null # `grep -q` would close the pipe early

echo "freezing a program"
mkdir "$work/freezing" "$work/elsewhere"
(cd "$work/freezing" && "$work/venv/bin/pyinstaller" --log-level ERROR "$script_dir/frozen.py")
mv "$work/freezing/dist/frozen" "$work/frozen"
rm -r "$work/venv" "$work/freezing" # the frozen program must not need them
(cd "$work/elsewhere" && env -i "$work/frozen/frozen" >"$work/output") || { tail -n 20 "$work/output"; exit 1; }
grep "^ *TRN-" "$work/output" >/dev/null
