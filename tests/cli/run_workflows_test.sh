#!/usr/bin/env bash
# Checks the workflow files of the forge: their syntax, by yamllint and, if it is installed, by actionlint. Each action
# is pinned to a major version, each job has a time limit, and each workflow may only read.
# usage: run_workflows_test.sh WORKFLOW...     exits with 77 if yamllint is missing
set -uo pipefail

if ! command -v yamllint >/dev/null; then
  echo "yamllint is missing (Debian: yamllint)"
  exit 77
fi
failed=0
# fail FILE WHAT
fail() {
  echo "FAILED: $1: $2" >&2
  failed=1
}
rules='{extends: default, rules: {document-start: disable, line-length: {max: 120}, truthy: {check-keys: false}}}'
for file in "$@"; do
  yamllint --strict -d "$rules" "$file" >&2 || fail "$file" "yamllint"
  if grep -E '^ *(- )?uses:' "$file" | grep -vE 'uses: [a-z0-9-]+/[a-z0-9-]+@v[0-9]+$' >&2; then
    fail "$file" "each action needs a major version, such as actions/checkout@v4"
  fi
  [ "$(grep -c '^    timeout-minutes: ' "$file")" -eq "$(grep -c '^    runs-on: ' "$file")" ] ||
    fail "$file" "each job needs timeout-minutes"
  [ "$(grep -A 1 '^permissions:' "$file" | tail -n 1)" = "  contents: read" ] || fail "$file" "it needs contents: read"
  if grep -E '^ *(permissions:|contents:|[a-z-]+: write)' "$file" | grep -vxE 'permissions:|  contents: read' >&2; then
    fail "$file" "it may only read"
  fi
  ! command -v actionlint >/dev/null || actionlint "$file" >&2 || fail "$file" "actionlint"
done
exit $failed
