#!/usr/bin/env bash
# The native twin under AddressSanitizer and UndefinedBehaviorSanitizer, and the lines it covers.
#
# Compiles the sources twice into copies of the package, plays in lockstep with the engine, and runs
# the tests of the twin.  Takes what to do: `address`, `leaks` or `coverage`; needs gcc.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
what=${1:?address, leaks or coverage}
python=$(command -v "${PYTHON:-python3}")
python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$repository/src/valletta_rules" "$repository/spec" "$repository/tests" "$work"

compile() { # flags: makes the library out of one object for each source
  local include
  include=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
  (cd "$work" && for source in "$repository"/src/native/*.c; do
    gcc -std=c11 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -g "$@" -I"$include" -c "$source"
  done && gcc -shared "$@" ./*.o -o valletta_rules/_native.abi3.so)
}

export PYTHONPATH=$work VALLETTA_NATIVE=1 PYTHONDONTWRITEBYTECODE=1
case $what in
  address | leaks)
    compile -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
    export PYTHONMALLOC=malloc UBSAN_OPTIONS=print_stacktrace=1
    run() { LD_PRELOAD=$(gcc -print-file-name=libasan.so) "$python" "$@"; }
    ;;
  coverage) compile -O0 --coverage -fprofile-abs-path ;;
esac
cd "$work"
case $what in
  address)
    export ASAN_OPTIONS=detect_leaks=0
    run -m spec.checks.twins --successors "${SUCCESSORS:-20000}" >/dev/null
    run -m pytest -q -p no:cacheprovider tests/native/test_twins.py tests/native/test_batch.py
    ;;
  leaks)
    ASAN_OPTIONS=detect_leaks=1 run - <<'END'
import random
from array import array
import valletta_rules as valletta
from valletta_rules import native

rng = random.Random(1)
for _ in range(20):
    state = valletta.resolve_chance(native.pack(valletta.new_game(2)), rng)
    while state.prompt is not None:
        action = rng.choice(valletta.legal_actions(state))
        state = valletta.resolve_chance(valletta.apply(state, action), rng)
    assert native.pack(state.unpack()) == state
for threads in (1, 2):
    batch = native.Batch(native.pack(valletta.new_game(2)), 50, threads=threads)
    batch.reset(array("Q", range(50)))
    for _ in range(20):
        mask = batch.legal_mask().tolist()
        batch.step(array("q", [legal.index(1) for legal in mask]))
    try:
        batch.step(array("q", [-1] * 50))
    except ValueError:
        pass
END
    ;;
  coverage)
    "$python" -m pytest -q -p no:cacheprovider tests/native/test_twins.py tests/native/test_batch.py
    gcov -b -c ./*.gcda 2>/dev/null | grep -A3 "^File '$repository" | grep -vE '^(Branches|--)'
    grep -n '#####' ./*.c.gcov || true
    ;;
esac
