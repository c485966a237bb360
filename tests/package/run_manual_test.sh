#!/bin/bash
# Makes the manual and checks its contents. A warning is an error. Exits 77 without doxygen, unless in CI.
# usage: run_manual_test.sh SOURCE_DIR WORK_DIR
set -euo pipefail

source=$1 work=$2
for tool in doxygen python3; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing"
    if [[ -n ${CI-} ]]; then exit 1; fi
    exit 77
  fi
done
"$source/docs/manual/manual" "$work"

# Every header has a page, which lists its functions.
for header in "$source"/include/throng/*.h; do
  name=$(basename "$header" .h)
  page=$work/html/${name//_/__}_8h.html
  [[ -f $page ]] || { echo "there is no $page" >&2 && exit 1; }
  functions=$(grep -v '^#' "$header" | tr '\n' ' ' | grep -o 'THRONG_API [^(;#]*(' |
    sed 's/ *($//; s/.*[ *]//' | sort -u) || true # throng.h declares none
  for function in $functions; do
    grep -qE ">$function</(a|b)>" "$page" || { echo "$page does not list $function" >&2 && exit 1; }
  done
done
# The manual has every page of docs/ with its pictures, and doxygen has made tables of the Markdown tables.
for page in "$source"/docs/*.md "$source"/docs/arithmetic/*.md; do
  html=$work/html/$(basename "$page" .md).html
  [[ -f $html ]] || { echo "there is no $html" >&2 && exit 1; }
done
for html in "$work"/html/{index,parameters,[A-Z]*}.html; do
  if grep -n 'ilinebr' "$html"; then echo "$html has a broken table" >&2 && exit 1; fi
  for picture in $(grep -o '<img src="[^"]*"' "$html" | cut -d'"' -f2); do
    [[ -f $work/html/$picture ]] || { echo "$html lacks its picture $picture" >&2 && exit 1; }
  done
done
grep -q '<img src="docs-pictures-crowds.webp"' "$work/html/index.html"
