#!/usr/bin/env bash
# Test the native backend under sanitizers, and measure the coverage of its tests.  Needs gcc.
#
# The script compiles the sources into a copy of the package.  The first argument is one of:
#   address   compare the backend with the engine, and run its tests, with the address sanitizer
#   hostile   run the fuzzer with the address sanitizer, for five seconds or a given number of seconds;
#             write the attacks to a file if one is given
#   leaks     play games, and search for memory that is not freed
#   threads   run batches and rollouts with the thread sanitizer, which must detect a planted race
#   coverage  fail if a line or a branch is neither reached nor excused
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
what=${1:?address, hostile, leaks, threads or coverage}
python=$(command -v "${PYTHON:-python3}")
python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -C "$repository" --exclude node_modules -cf - pyproject.toml src spec tests examples | tar -C "$work" -xf -
cd "$work"
include=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
export PYTHONPATH=$work/src:$work VALLETTA_NATIVE=1 PYTHONDONTWRITEBYTECODE=1
export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=exitcode=66
tests() { run -m pytest -q -p no:cacheprovider "$@"; }
run() { "$python" "$@"; }

compile() { # FLAGS: link the library from one object for each source
  local source
  mkdir -p objects
  for source in "$work"/src/native/*.c; do
    gcc -std=c11 -ffp-contract=off -Wall -Wextra -Werror -fPIC -fvisibility=hidden -g "$@" -I"$include" \
      -c "$source" -o "objects/$(basename "$source" .c).o"
  done
  gcc -shared "$@" objects/*.o -lm -o src/valletta_rules/_native.abi3.so
}

sanitizers="-O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
watch_memory() {
  # shellcheck disable=SC2086 # several flags
  compile $sanitizers
  export PYTHONMALLOC=malloc
  run() { LD_PRELOAD=$(gcc -print-file-name=libasan.so) "$python" "$@"; }
}

case $what in
  address)
    watch_memory
    run -m spec.checks.agreement --steps "${STEPS:-15000}" >/dev/null
    CFLAGS=$sanitizers tests tests/native # these include the tests of the GPU kernels, compiled for the CPU
    ;;
  hostile)
    watch_memory
    run -m spec.checks.hostile --seconds "${2:-5}"
    ;;
  leaks)
    watch_memory
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
  threads)
    run() { LD_PRELOAD=$(gcc -print-file-name=libtsan.so) "$python" "$@"; }
    cat >play.py <<'END'
import random
from array import array
from valletta_rules import native, new_game, resolve_chance, view
from valletta_rules.bots import make_bot

for restart in (False, True):
    batch = native.Batch(native.pack(new_game(3)), 40, threads=4, restart=restart)
    for _ in range(60):
        rows = batch.legal_mask().tolist()
        batch.step(array("q", [row.index(1) if 1 in row else -1 for row in rows]))
        batch.sample(1), batch.observe()
native.rollouts(native.pack(new_game(2)), 2000, 1, threads=3)
state = resolve_chance(native.pack(new_game(2)), random.Random(1))
make_bot("rollouts:threads=3,turns=1", random.Random(1)).decide(view(state, state.prompt.seat))
END
    compile -O1 -fsanitize=thread
    run play.py
    sed -i 's/    Batch \*batch = given;/&\n    batch->last[0].dealt++;/' src/native/batch.c
    compile -O1 -fsanitize=thread
    if run play.py >race.log 2>&1 || ! grep -q 'data race' race.log; then
      echo "the thread sanitizer did not detect the planted race"
      exit 1
    fi
    ;;
  coverage)
    compile -O0 --coverage -fprofile-abs-path -fprofile-update=atomic # threads share the counters
    tests tests/native --ignore tests/native/test_hostile.py # the fuzzer runs for a given time, so its coverage varies
    run -m spec.checks.reached objects
    ;;
  *)
    echo "unknown mode $what; use address, hostile, leaks, threads or coverage"
    exit 2
    ;;
esac
