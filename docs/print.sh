#!/usr/bin/env bash
# The whole rulebook as PDF, in English and in German, out of the pages that have been built.
#
#   bash docs/print.sh            valletta-rules-en.pdf and valletta-rules-de.pdf in docs/_build
#   bash docs/print.sh z-man      as that edition: what does not hold in it is struck through
#
# Needs Chromium, which may be named: CHROMIUM=…
set -euo pipefail
edition=${1-}
build=$(cd "$(dirname "$0")" && pwd)/_build
[[ $edition =~ ^(|hans-im-glueck|z-man|reference-manual)$ ]] || { echo "there is no edition $edition"; exit 2; }
flags=(--headless --disable-gpu --no-pdf-header-footer --generate-pdf-document-outline)
[ "$(id -u)" -ne 0 ] || flags+=(--no-sandbox)

for language in en de; do
  page=$build/html/${language/en/.}/rulebook/whole.html
  [ -f "$page" ] || { echo "there is no $page: build the documentation first"; exit 1; }
  pdf=$build/valletta-rules-$language${edition:+-$edition}.pdf
  rm -f "$pdf"
  "${CHROMIUM:-chromium}" "${flags[@]}" --print-to-pdf="$pdf" "file://$page${edition:+?as=$edition}" 2>"$build/print.log" ||
    { cat "$build/print.log"; exit 1; }
  [ "$(head -c 4 "$pdf" 2>/dev/null)" = %PDF ] || { cat "$build/print.log"; exit 1; }
  echo "$pdf"
done
