#!/usr/bin/env bash
# The wheels for machines that this one is not: installed and played there, by emulation.
#
#   bash tests/native/elsewhere.sh FOLDER     which `wheels.sh FOLDER` has filled
#
# On aarch64 Debian's Python plays, under qemu.  With musl, which Debian has no Python for, one plays that zig
# compiles from Debian's sources, of which musl's own loader takes nothing else from the system.
# Needs Debian 12 on x86-64, with the package sources that it came with, Python 3.11, binutils, make and qemu-user-static.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?a folder with wheels}" && pwd)
python=${PYTHON:-python3}
for needed in qemu-aarch64-static python3.11 make readelf; do
  command -v $needed >/dev/null || { echo "$needed is missing"; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
"$python" -m venv "$work/tools"

debian() { # architecture, command...: apt-get for a machine that has no packages yet
  local own=$work/apt-$1
  mkdir -p "$own/lists/partial" "$own/archives/partial" "$own/sources"
  : >"$own/status"
  sed "s/^Types: deb$/& deb-src/" /etc/apt/sources.list.d/debian.sources >"$own/sources/all.sources"
  apt-get -qq -o APT::Architecture="$1" -o APT::Architectures="$1" -o APT::Install-Recommends=0 -o APT::Sandbox::User= \
    -o Dir::Etc::SourceParts="$own/sources" -o Dir::State="$own" -o Dir::State::status="$own/status" \
    -o Dir::Cache::archives="$own/archives" -o Debug::NoLocking=1 "${@:2}"
}

root() { # architecture, packages...: unpacks them, and what they need, into a root of their own
  local each
  debian "$1" update
  debian "$1" -y --download-only install "${@:2}"
  for each in "$work/apt-$1"/archives/*.deb; do dpkg-deb -x "$each" "$work/root-$1"; done
}

musl() { # Debian's and zig's name of the machine: a root with musl, and a Python of the modules that are needed
  local root=$work/root-musl-$1 made=$work/python-$2 compiler="$zig cc -target $2-linux-musl" each
  debian "$1" update
  debian "$1" -y --download-only install musl
  dpkg-deb -x "$work/apt-$1"/archives/musl_*.deb "$root"
  mkdir -p "$made" "$root/bin" "$root/lib/python3.11/lib-dynload"
  (cd "$made" && debian "$1" source --download-only python3.11/bookworm zlib/bookworm)
  for each in "$made"/*.orig.tar.*; do tar -C "$made" -xf "$each"; done
  (
    cd "$made"/zlib-*/
    $compiler -O2 -w -c adler32.c compress.c crc32.c deflate.c inf{back,fast,late,trees}.c trees.c uncompr.c zutil.c
    "$zig" ar rc libz.a ./*.o
    sed "s|\$zlib|$PWD|g" "$here/modules.txt" >"$(echo "$made"/Python-*/)Modules/Setup.local"
  )
  (
    cd "$made"/Python-*/
    # Debian's musl is older than zig's: it lacks two functions.
    CC="$compiler -dynamic" AR="$zig ar" RANLIB="$zig ranlib" READELF=$(command -v readelf) CFLAGS="-fno-sanitize=undefined -w" \
      ./configure -q --host="$2-linux-musl" --build=x86_64-linux-gnu --with-build-python="$(command -v python3.11)" \
      --with-ensurepip=no --disable-ipv6 --disable-test-modules ac_cv_file__dev_ptmx=yes ac_cv_file__dev_ptc=no \
      ac_cv_func_preadv2=no ac_cv_func_pwritev2=no &&
      make -s -j2 python && cp python "$root/bin/python3.11" && cp -r Lib/. "$root/lib/python3.11"
  ) >"$made.log" 2>&1 || { tail -n 20 "$made.log"; exit 1; }
}

play() { # the wheel's platform, the command that is Python there...: the digest must be the one known
  "$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --target "$work/$1" --platform "$1" \
    --implementation cp --python-version 3.11 --only-binary :all: --find-links "$folder" --no-index --no-deps valletta-rules
  "$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --target "$work/$1" attrs cattrs
  [ "$(PYTHONPATH=$work/$1 "${@:2}" "$here/digest.py")" = "$(cat "$here/digest.txt")" ] || { echo "$1 plays other games"; exit 1; }
  echo "$1: $(PYTHONPATH=$work/$1 "${@:2}" -c 'import platform; print(platform.machine(), *platform.libc_ver())') plays the games of digest.txt"
}

"$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --require-hashes -r "$here/wheels.txt"
zig=$("$work/tools/bin/python" -c "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).with_name('zig'))")
export ZIG_GLOBAL_CACHE_DIR=$work/zig

root arm64 python3-minimal libpython3-stdlib
play manylinux_2_17_aarch64 qemu-aarch64-static -L "$work/root-arm64" "$work/root-arm64/usr/bin/python3.11"

musl amd64 x86_64
musl arm64 aarch64
play musllinux_1_2_x86_64 env PYTHONHOME="$work/root-musl-amd64" "$work"/root-musl-amd64/{lib/ld-musl-x86_64.so.1,bin/python3.11}
play musllinux_1_2_aarch64 env PYTHONHOME="$work/root-musl-arm64" qemu-aarch64-static "$work"/root-musl-arm64/{lib/ld-musl-aarch64.so.1,bin/python3.11}
