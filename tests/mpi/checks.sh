# Counted checks for tests that start ranks. Their runs write to the file stderr in the current folder.
# shellcheck shell=bash disable=SC2034
passed=0 failed=0
# check NAME COMMAND...: the command succeeds.
check() {
  if "${@:2}"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1" >&2
    cat stderr >&2
  fi
}
