#!/usr/bin/env bash
# Build the files of a release: the sources, a wheel for any platform, and wheels with the native
# backend for Linux with glibc and musl on x86-64 and aarch64.
#
#   bash tests/native/wheels.sh            build and check the sources, the pure wheel, and two of the wheels for Linux
#   bash tests/native/wheels.sh FOLDER     build all files twice, check them, and write them to a folder
#
# Wheels are built from the archive of the sources, by the tools that wheels.txt lists; two builds must
# be equal byte for byte.  The wheels for this machine are installed and tested; `release.yml` tests the others.
# PYTHON=python3.12 chooses a Python.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
python=${PYTHON:-python3}
folder=${1:+$(mkdir -p "$1" && cd "$1" && pwd)}

platforms=( # the tag of the wheel, and the target of zig
  manylinux_2_17_x86_64=x86_64-linux-gnu.2.17
  manylinux_2_17_aarch64=aarch64-linux-gnu.2.17
  musllinux_1_2_x86_64=x86_64-linux-musl
  musllinux_1_2_aarch64=aarch64-linux-musl
)
native=manylinux_2_17_$(uname -m)
[ -n "$folder" ] || platforms=("$native=$(uname -m)-linux-gnu.2.17" "${platforms[3]}") # one wheel for each libc

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH CFLAGS CPPFLAGS LDFLAGS VALLETTA_NATIVE_OBJECTS
"$python" -m venv "$work/tools"
tools=$work/tools/bin
pip() { "$1/bin/python" -m pip --disable-pip-version-check --quiet "${@:2}"; }
pip "$work/tools" install --require-hashes -r "$here/wheels.txt"
pip "$work/tools" install abi3audit auditwheel
zig=$("$tools/python" -c "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name('zig'))")

# Debian's headers include a file for the target machine.  The file of this machine is used instead: the stable interface is the same.
headers=$("$python" -c "import sysconfig; print(sysconfig.get_path('include'))")
own=$(dirname "$headers")/$(uname -m)-linux-gnu/$(basename "$headers")
for machine in x86_64 aarch64; do
  mkdir -p "$work/include/$machine-linux-gnu"
  [ ! -d "$own" ] || cp -r "$own" "$work/include/$machine-linux-gnu"
done

fail() { echo "$*"; exit 1; }

sources() { # REPOSITORY FOLDER: build the archive of the sources
  (cd "$1" && "$tools/python" -m hatchling build -t sdist -d "$2" >/dev/null)
}

wheel() { # SOURCES FOLDER: build a wheel
  (cd "$1" && "$tools/python" -m hatchling build -t wheel -d "$2" >/dev/null)
}

wheels() { # SOURCES FOLDER PLATFORMS: build a wheel for each platform
  local compiler each
  for each in "${@:3}"; do
    compiler="$zig cc -target ${each#*=} -I$work/include"
    # Python's own flags would add a library path to the wheel.  Without -O3, zig adds checks.
    CC=$compiler LDSHARED="$compiler -shared -O3" VALLETTA_NATIVE=1 VALLETTA_CUDA=1 VALLETTA_NATIVE_PLATFORM=${each%%=*} \
      ZIG_GLOBAL_CACHE_DIR=$2.zig wheel "$1" "$2"
  done
}

check() { # WHEEL TAG: check a wheel with the native backend
  local needed
  unzip -l "$1" | { ! grep -E "\.(c|h)$"; } || fail "$1 contains C sources"
  unzip -l "$1" | grep valletta_rules/native/cuda.ptx >/dev/null || fail "$1 contains no GPU kernels"
  "$tools/abi3audit" --strict "$1"
  unzip -p "$1" valletta_rules/_native.abi3.so >"$work/library"
  needed=$(readelf -d "$work/library")
  ! grep -E "RPATH|RUNPATH" <<<"$needed" || fail "the library in $1 contains a search path (RPATH or RUNPATH)"
  case $2 in # auditwheel knows only the name that Alpine gives to musl; zig uses libc.so, which every musl provides
    musllinux*) [ "$(grep -o "NEEDED.*" <<<"$needed" | grep -o "\[.*")" = "[libc.so]" ] ;;
    *) "$tools/auditwheel" show "$1" | tr "\n" " " | grep "platform tag: \"$2\"" >/dev/null ;;
  esac || fail "the library in $1 needs more than the platform $2 provides"
}

play() { # WHEEL: install it, play a game, and write whether the native backend is available to WHEEL.there
  local venv
  venv=$work/venv-$(basename "$1")
  "$python" -m venv "$venv"
  pip "$venv" install "$1"
  (cd / && "$venv/bin/python" -I -W error - <<'END'
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
  (cd / && "$venv/bin/python" -I -c "from valletta_rules import native; print(native.available)") >"$1.there"
}

one=$work/one two=$work/two
mkdir "$one" "$two"
sources "$repository" "$one"
tar -C "$one" -xf "$one"/*.tar.gz
tar -C "$two" -xf "$one"/*.tar.gz
first=$(echo "$one"/*/) second=$(echo "$two"/*/)

refusal=$(cd "$repository" && "$tools/python" - <<'END'
import sysconfig
import sys

sys.path.insert(0, "")
sysconfig.get_config_vars()["Py_GIL_DISABLED"] = 1
import hatch_build

print(hatch_build.why_not("1"))
END
)
grep "free-threaded" <<<"$refusal" >/dev/null || fail "the reason against a free-threaded Python must contain \"free-threaded\": $refusal"

VALLETTA_NATIVE=0 wheel "$first" "$one"
CC=/bin/false VALLETTA_NATIVE= wheel "$second" "$two" 2>"$work/warning" # as on a machine without a compiler
[ "$(grep -c "will be pure Python" "$work/warning")" -eq 1 ] || fail "a build without a compiler must print one warning that contains \"will be pure Python\""
unzip -l "$one"/*-py3-none-any.whl | { ! grep -E "\.(so|c|h)$"; } || fail "the pure wheel contains native code"

wheels "$first" "$one" "${platforms[@]}"
for each in "${platforms[@]}"; do check "$one"/*-"${each%%=*}".whl "${each%%=*}"; done
if [ -n "$folder" ]; then
  sources "$first" "$two"
  wheels "$second" "$two" "${platforms[@]}"
fi
(cd "$two" && for each in *.whl *.tar.gz; do [ ! -f "$each" ] || cmp "$each" "$one/$each"; done)

play "$one"/*-"$native".whl >"$work/played1"
play "$one"/*-py3-none-any.whl >"$work/played0"
cmp "$work/played0" "$work/played1"
[ "$(cat "$one"/*.there)" = "True
False" ] || fail "native.available must be true in the wheel with the backend, and false in the pure wheel"
[ "$("$work"/venv-*"$native".whl/bin/python -I "$here/digest.py")" = "$(cat "$here/digest.txt")" ] || fail "the digest of the games differs from digest.txt"
[ -z "$folder" ] || cp "$one"/*.whl "$one"/*.tar.gz "$folder"
echo "all packages are correct; the two that were installed play the same game"
