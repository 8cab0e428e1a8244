#!/usr/bin/env bash
# The rehearsal of a release: everything is built, and then installed and used as a stranger would.
#
#   bash tests/consumer/release.sh            in a folder that is removed afterwards
#   bash tests/consumer/release.sh FOLDER     keeps what would be published in an empty folder
#
# Builds the archive of the sources and the wheels (tests/native/wheels.sh) and the package for
# JavaScript, twice with equal bytes, and checks their metadata and contents.  Installs them from that
# folder into empty environments of every Python from 3.11 that is found, without a compiler, and runs
# the programs of the README there.
# Needs Node, and Python with the extras `docs` and `javascript`.  PYTHON names another Python, and
# PYTHONS those that install the wheels, separated by spaces.
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

say "building what is released"
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
# 8 of 10: without an address of the project and of its authors (RELEASING.md)
"$work/checkers/bin/pyroma" --min 8 "$folder"/*.tar.gz
(cd "$repository/src/javascript" && npx publint run --strict "$folder"/*.tgz)

install() { # an environment, what to install: from the folder, and without a compiler
  CC=/bin/false PIP_FIND_LINKS="$folder ${PIP_FIND_LINKS-}" pip "$1" install --only-binary :all: "$2"
}

cd / # the repository is out of reach from here
for each in ${PYTHONS-$(compgen -c python3. | grep -xE 'python3\.1[1-9]' | sort -u)}; do
  "$each" -c "" 2>/dev/null || { say "skipping $each, which does not start"; continue; }
  say "installing it for $("$each" --version), and playing"
  rm -rf "$work/other"
  "$each" -m venv "$work/other"
  install "$work/other" valletta-rules
  "$work/other/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.why_not)"
  [ "$("$work/other/bin/python" -I "$repository/tests/native/digest.py")" = "$(cat "$repository/tests/native/digest.txt")" ]
  "$work/other/bin/valletta" --seed 7 --quiet
done

say "installing it with an extra"
"$python" -m venv "$work/venv"
install "$work/venv" "valletta-rules[web]"
"$work/venv/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.why_not)"
"$work/venv/bin/python" -I -m pip --disable-pip-version-check check

say "the programs of the README"
"$work/venv/bin/python" -I -W error -m doctest "$repository/README.md"
"$work/venv/bin/python" -I -m valletta_rules --seed 7 --quiet

say "the table in a browser"
"$work/venv/bin/valletta" serve --no-browser --port 0 --folder "$work/tables" >"$work/served" &
for _ in $(seq 100); do
  address=$(grep -oE 'http://[^ ]+' "$work/served" | head -n 1) && break
  sleep 0.2
done
"$work/venv/bin/python" -I - "${address:?it does not say where}" <<'END'
import sys
from urllib.parse import urljoin
from urllib.request import urlopen

for path in ("/", "/api/health"):
    with urlopen(urljoin(sys.argv[1], path)) as answer:
        print(path, answer.status, len(answer.read()), "bytes")
END

say "the sources, installed without a compiler"
"$python" -m venv "$work/sources"
CC=/bin/false VALLETTA_NATIVE= pip "$work/sources" install --no-cache-dir "$folder"/valletta_rules-*.tar.gz
"$work/sources/bin/python" -I -c "from valletta_rules import native; raise SystemExit(native.available)"
"$work/sources/bin/python" -I -m valletta_rules --seed 7 --quiet

say "the package for JavaScript, and the program that it prints"
mkdir "$work/node"
cd "$work/node"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --offline "$folder"/valletta-rules-*.tgz
sed -n '/^```js$/,/^```$/p' "$repository/src/javascript/README.md" | sed '/^```/d' >game.mjs
node game.mjs

say "all of it can be released"
