#!/usr/bin/env bash
# Both wheels: with the native backend, for every Python from 3.11; and without it, for any platform.
#
# Builds both, looks at what they hold, and plays the same game with each in a fresh environment.
# Python may be chosen: PYTHON=python3.12.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip --disable-pip-version-check install --quiet abi3audit auditwheel

wheel() { # whether the backend is compiled, what the name must end with
  VALLETTA_NATIVE=$1 "$work/tools/bin/python" -m pip wheel --quiet --no-deps --wheel-dir "$work/$1" "$repository"
  case $(ls "$work/$1") in
    valletta_rules-*-$2.whl) ;;
    *) echo "a wheel for $2 was wanted, not $(ls "$work/$1")"; exit 1 ;;
  esac
}

play() { # which wheel: says whether the backend is there, then plays a game with it or without
  "$python" -m venv "$work/venv$1"
  "$work/venv$1/bin/python" -m pip --disable-pip-version-check install --quiet "$work/$1"/*.whl
  (cd / && "$work/venv$1/bin/python" -I -W error - <<'END'
import random
import valletta_rules as valletta
from valletta_rules import native

rng = random.Random(7)
state = valletta.new_game(3)
state = valletta.resolve_chance(native.pack(state) if native.available else state, rng)
while state.prompt is not None:
    action = rng.choice(valletta.legal_actions(state))
    state = valletta.resolve_chance(valletta.apply(state, action), rng)
print(valletta.outcome(state))
END
  )
  (cd / && "$work/venv$1/bin/python" -I -c "from valletta_rules import native; print(native.available)") >"$work/there$1"
}

wheel 1 "cp311-abi3-linux_$(uname -m)"
wheel 0 py3-none-any
unzip -l "$work"/0/*.whl | { ! grep -E "\.(so|c|h)$"; } || { echo "a pure wheel holds no native code"; exit 1; }
unzip -l "$work"/1/*.whl | { ! grep -E "\.(c|h)$"; } || { echo "a wheel holds no sources in C"; exit 1; }
"$work/tools/bin/abi3audit" --strict "$work"/1/*.whl
"$work/tools/bin/auditwheel" show "$work"/1/*.whl | grep manylinux >/dev/null

play 1 >"$work/played1"
play 0 >"$work/played0"
cmp "$work/played0" "$work/played1"
[ "$(cat "$work/there0" "$work/there1")" = "False
True" ]
echo "both wheels play the same game"
