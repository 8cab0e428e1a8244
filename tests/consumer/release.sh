#!/usr/bin/env bash
# The rehearsal of a release: everything is built, and then installed and used as a stranger would.
#
#   bash tests/consumer/release.sh            in a folder that is removed afterwards
#   bash tests/consumer/release.sh FOLDER     keeps what would be published in an empty folder
#
# Builds the archive of the sources and the wheels (tests/native/wheels.sh) and the package for
# JavaScript (twice, and the same), has twine check them, installs them out of that folder into empty
# environments, and there runs the programs of the README.  Needs Node, and Python with the extras `docs` and
# `javascript`, which may be chosen: PYTHON=python.
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
say() { printf -- '--- %s\n' "$*"; }
pip() { "$1/bin/python" -m pip --disable-pip-version-check --quiet "${@:2}"; }

say "building what is released"
PYTHON=$python bash "$repository/tests/native/wheels.sh" "$folder"
(cd "$repository/src/javascript" && PYTHON=$python && export PYTHON &&
  npm ci --silent --no-audit --no-fund && npm run --silent build && npm pack --silent --pack-destination "$folder" &&
  mkdir "$work/again" && npm run --silent build && npm pack --silent --pack-destination "$work/again" &&
  cmp "$work"/again/*.tgz "$folder"/*.tgz)
ls "$folder"

say "what an index says of it"
"$python" -m venv "$work/twine"
pip "$work/twine" install twine
"$work/twine/bin/twine" check --strict "$folder"/*.whl "$folder"/*.tar.gz

say "installing it into an empty environment"
"$python" -m venv "$work/venv"
PIP_FIND_LINKS="$folder ${PIP_FIND_LINKS-}" pip "$work/venv" install --only-binary valletta-rules "valletta-rules[web]"
cd / # the repository is out of reach from here
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
