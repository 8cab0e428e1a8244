#!/usr/bin/env bash
# The wheels for machines that this one is not: installed and played there, by emulation.
#
#   bash tests/native/elsewhere.sh FOLDER     which `wheels.sh FOLDER` has filled
#
# On aarch64 Debian's Python plays, under qemu.  Needs Debian on another machine, with the package
# sources that it came with, and qemu-user-static.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?a folder with wheels}" && pwd)
python=${PYTHON:-python3}
command -v qemu-aarch64-static >/dev/null || { echo "qemu-aarch64-static is missing"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH
"$python" -m venv "$work/tools"

debian() { # architecture, command...: apt-get for a machine that has no packages yet
  local own=$work/apt-$1
  mkdir -p "$own/lists/partial" "$own/archives/partial" "$own/sources"
  : >"$own/status"
  cp /etc/apt/sources.list.d/debian.sources "$own/sources/binary.sources"
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

play() { # the wheel's platform, the command that is Python there...: the digest must be the one known
  "$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --target "$work/$1" --platform "$1" \
    --implementation cp --python-version 3.11 --only-binary :all: --find-links "$folder" --no-index --no-deps valletta-rules
  "$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --target "$work/$1" attrs cattrs
  [ "$(PYTHONPATH=$work/$1 "${@:2}" "$here/digest.py")" = "$(cat "$here/digest.txt")" ] || { echo "$1 plays other games"; exit 1; }
  echo "$1: $(PYTHONPATH=$work/$1 "${@:2}" -c 'import platform; print(platform.machine(), *platform.libc_ver())') plays the games of digest.txt"
}

root arm64 python3-minimal libpython3-stdlib
play manylinux_2_17_aarch64 qemu-aarch64-static -L "$work/root-arm64" "$work/root-arm64/usr/bin/python3.11"
