# folders.sh: what bench/peers and bench/validate share.
# SPDX-License-Identifier: MIT

# take_folders PROGRAM ARGUMENT...: takes options --rvo2 FOLDER and --jupedsim FOLDER from the front of the arguments.
# Exports the folders to bench/build. Sets `taken`, the number of arguments that it took, and `packages`, the Debian
# packages that the engines need.
take_folders() {
  local program=$1 file
  shift
  taken=0
  packages=()
  while [ $# -gt 0 ]; do
    case $1 in
      --rvo2) file=src/RVO.h ;;
      --jupedsim) file=libsimulator/src/OperationalModels/OperationalModel.hpp ;;
      *) break ;;
    esac
    if [ ! -f "${2-}/$file" ]; then
      echo "$program: '$1': value '${2-}' has no $file" >&2
      exit 2
    fi
    if [ "$1" = --rvo2 ]; then
      THRONG_RVO2=$(readlink -f "$2")
      export THRONG_RVO2
    else
      THRONG_JUPEDSIM=$(readlink -f "$2")
      export THRONG_JUPEDSIM
      packages=(libcgal-dev libfmt-dev)
    fi
    shift 2
    taken=$((taken + 2))
  done
}
