#!/usr/bin/env bash
# Prints the whole rulebook to PDF files, in English and in German, from the built documentation.
#
#   bash docs/print.sh            write valletta-rules-en.pdf and valletta-rules-de.pdf to docs/_build
#   bash docs/print.sh z-man      print the rules of this edition: text that does not apply to it is struck through
#
# Needs Chromium; CHROMIUM=... chooses the program.
set -euo pipefail
edition=${1-}
build=$(cd "$(dirname "$0")" && pwd)/_build
[[ $edition =~ ^(|hans-im-glueck|z-man|reference-manual)$ ]] || { echo "unknown edition $edition; use hans-im-glueck, z-man or reference-manual"; exit 2; }
flags=(--headless --disable-gpu --no-pdf-header-footer --generate-pdf-document-outline)
[ "$(id -u)" -ne 0 ] || flags+=(--no-sandbox)

for language in en de; do
  page=$build/html/${language/en/.}/rulebook/whole.html
  [ -f "$page" ] || { echo "$page does not exist: build the documentation first"; exit 1; }
  pdf=$build/valletta-rules-$language${edition:+-$edition}.pdf
  rm -f "$pdf"
  "${CHROMIUM:-chromium}" "${flags[@]}" --print-to-pdf="$pdf" "file://$page${edition:+?as=$edition}" 2>"$build/print.log" ||
    { cat "$build/print.log"; exit 1; }
  [ "$(head -c 4 "$pdf" 2>/dev/null)" = %PDF ] || { cat "$build/print.log"; exit 1; }
  echo "$pdf"
done
