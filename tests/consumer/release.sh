#!/usr/bin/env bash
# Rehearse a release: build all packages, then install and run them as users do.
#
#   bash tests/consumer/release.sh            build in a temporary folder
#   bash tests/consumer/release.sh FOLDER     build in an empty folder, and keep the packages
#
# The script builds the source archive and the wheels (tests/native/wheels.sh), and the JavaScript
# package.  A second build must give equal bytes.  The script checks metadata and contents.  It
# installs the wheels without a compiler, into an empty environment of each Python from 3.11 that it
# finds, and plays a game there.  In another environment, it runs the programs of the README.
# Needs Node, and Python with the extras `docs` and `javascript`.  PYTHON=... chooses this Python.
# PYTHONS="... ..." chooses the Pythons in which the wheels are installed.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=$("${PYTHON:-python}" -c "import sys; print(sys.executable)")

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
folder=${1:-$work/dist}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
[ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty"; exit 2; }
unset PYTHONPATH
"$python" -c "import attrs, sphinx, ziglang" || { echo "install the package with its extras docs and javascript"; exit 2; }
say() { printf -- '--- %s\n' "$*"; }
pip() { "$1/bin/python" -m pip --disable-pip-version-check --quiet "${@:2}"; }

say "building the packages"
PYTHON=$python bash "$repository/tests/native/wheels.sh" "$folder"
(cd "$repository/src/javascript" && PYTHON=$python && export PYTHON &&
  npm ci --silent --no-audit --no-fund && npm run --silent build && npm pack --silent --pack-destination "$folder" &&
  mkdir "$work/again" && npm run --silent build && npm pack --silent --pack-destination "$work/again" &&
  cmp "$work"/again/*.tgz "$folder"/*.tgz)
ls "$folder"

say "checking metadata and contents"
"$python" -m venv "$work/checkers"
pip "$work/checkers" install twine pyroma check-wheel-contents
"$work/checkers/bin/twine" check --strict "$folder"/*.whl "$folder"/*.tar.gz
"$work/checkers/bin/check-wheel-contents" --config "$repository/pyproject.toml" "$folder"/*.whl
# 8 of 10: the addresses of the project and of its authors are missing (RELEASING.md)
"$work/checkers/bin/pyroma" --min 8 "$folder"/*.tar.gz
(cd "$repository/src/javascript" && npx publint run --strict "$folder"/*.tgz)

install() { # ENVIRONMENT REQUIREMENT: install from the folder, without a compiler
  CC=/bin/false PIP_FIND_LINKS="$folder ${PIP_FIND_LINKS-}" pip "$1" install --only-binary :all: "$2"
}

cd / # Python must not import modules of the repository
for each in ${PYTHONS-$(compgen -c python3. | grep -xE 'python3\.1[1-9]' | sort -u)}; do
  "$each" -c "" 2>/dev/null || { say "skipping $each, which does not start"; continue; }
  say "installing the wheel for $("$each" --version), and playing a game"
  rm -rf "$work/other"
  "$each" -m venv "$work/other"
  install "$work/other" valletta-rules
  "$work/other/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.why_not)"
  [ "$("$work/other/bin/python" -I "$repository/tests/native/digest.py")" = "$(cat "$repository/tests/native/digest.txt")" ]
  "$work/other/bin/valletta" --seed 7 --quiet
done

say "installing the wheel with the extra web"
"$python" -m venv "$work/venv"
install "$work/venv" "valletta-rules[web]"
"$work/venv/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.why_not)"
"$work/venv/bin/python" -I -m pip --disable-pip-version-check check

say "running the programs of the README"
"$work/venv/bin/python" -I -W error -m doctest "$repository/README.md"
"$work/venv/bin/python" -I -m valletta_rules --seed 7 --quiet

say "starting the table for browsers"
"$work/venv/bin/valletta" serve --no-browser --port 0 --folder "$work/tables" >"$work/served" &
for _ in $(seq 100); do
  address=$(grep -oE 'http://[^ ]+' "$work/served" | head -n 1) && break
  sleep 0.2
done
"$work/venv/bin/python" -I - "${address:?the server did not print its address}" <<'END'
import sys
from urllib.parse import urljoin
from urllib.request import urlopen

for path in ("/", "/api/health"):
    with urlopen(urljoin(sys.argv[1], path)) as answer:
        print(path, answer.status, len(answer.read()), "bytes")
END

say "installing the source archive without a compiler"
"$python" -m venv "$work/sources"
CC=/bin/false VALLETTA_NATIVE= pip "$work/sources" install --no-cache-dir "$folder"/valletta_rules-*.tar.gz
"$work/sources/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.available)"
"$work/sources/bin/python" -I -m valletta_rules --seed 7 --quiet

say "installing the JavaScript package, and running the program in its README"
mkdir "$work/node"
cd "$work/node"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --offline "$folder"/valletta-rules-*.tgz
sed -n '/^```js$/,/^```$/p' "$repository/src/javascript/README.md" | sed '/^```/d' >game.mjs
node game.mjs

say "all packages are ready for release"
