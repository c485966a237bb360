#!/bin/bash
# Checks that some test calls every public function with wrong arguments, by the macros of support/wrong.h or by
# require_error, and that world/test_busy.c calls every function that changes a world while another call runs.
# usage: check_arguments.sh INCLUDE_DIR TESTS_DIR
set -euo pipefail

include=$1 tests=$2
# A declaration may break its line after the type, so read the name before the parenthesis.
declared=$(grep -hv '^#' "$include"/throng/*.h | tr '\n' ' ' | grep -o 'THRONG_API [^(;#]*(' |
  sed 's/ *($//; s/.*[ *]//' | sort -u)
calls=$(cat "$tests"/*/test_*.c)

forgotten=()
for name in $declared; do
  case $name in
    # These have no arguments.
    throng_default_*_def | throng_default_attractor | throng_default_speed_zone | throng_*_group_def | \
      throng_axes_own | throng_axes_unity | throng_axes_unreal | throng_axes_godot | throng_piece_sources)
      called="$name\(\)"
      ;;
    *)
      called="((WRONG|REFUSED)\([A-Z_]+, [^,]+, |(BAD_ID|ANSWERS|SAYS|SURVIVES)\(([^,]+, )?|require_error\()$name[,(]"
      ;;
  esac
  grep -qE "$called" <<<"$calls" || forgotten+=("$name")
done
if ((${#forgotten[@]} > 0)); then
  printf 'no test gives these functions wrong arguments:\n' >&2
  printf '  %s\n' "${forgotten[@]}" >&2
  exit 1
fi

# throng_piece_give belongs into an exchange, when other calls are BUSY. Functions of mpi.h are collective.
shopt -s extglob
changing=$(grep -hv '^#' "$include"/throng/!(mpi).h | tr '\n' ' ' | grep -o 'THRONG_API [^;#]*;' |
  grep -E '[(,] *(throng_world|throng_recorder|throng_passes) \*[a-z]' | sed 's/ *(.*//; s/.*[ *]//' |
  grep -v '^throng_piece_give$' | sort -u)
for name in $changing; do
  grep -q "$name(" "$tests/world/test_busy.c" || forgotten+=("$name")
done
if ((${#forgotten[@]} > 0)); then
  printf 'world/test_busy.c does not call these functions that change a world:\n' >&2
  printf '  %s\n' "${forgotten[@]}" >&2
  exit 1
fi
echo "$(wc -l <<<"$declared") functions"
