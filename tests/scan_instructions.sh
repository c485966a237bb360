#!/bin/bash
# Disassembles objects and fails at every instruction that is not allowed:
# - an instruction that the flags of the instruction set do not include
# - an estimate of a reciprocal or of a reciprocal square root
# - a fused multiply-add, except in lf_add_where of lanes8.h, which is exact
# GCC's debug lines (-g1) show which function an instruction belongs to. Clang merges equal instructions and their
# lines, so with Clang a fused addition of eight lanes is allowed in any function.
# usage: scan_instructions.sh OBJDUMP ADDR2LINE COMPILER SET OBJECT...
#   COMPILER   GNU or Clang
#   SET        baseline, avx2, avx512 or neon; plain: C without lanes
set -euo pipefail

objdump=$1 addr2line=$2 compiler=$3 set=$4
shift 4
fused=$(mktemp)
trap 'rm -f "$fused"' EXIT

for object in "$@"; do
  printf 'object %s\n' "$object"
  "$objdump" --disassemble --no-show-raw-insn "$object"
done | awk -v set="$set" -v list="$fused" '
  BEGIN {
    vector = "^v" # VEX and EVEX
    wide = "%[yz]mm|%k[0-7]|%xmm(1[6-9]|[23][0-9])"
    wider = "%zmm|%k[0-7]|%[xy]mm(1[6-9]|[23][0-9])"
    after_sse2 = "^(addsubp[sd]|haddp[sd]|hsubp[sd]|movddup|movs[hl]dup|lddqu|fisttp.*|pshufb|palignr|pabs[bwd]|" \
      "psign[bwd]|" \
      "phadd.*|phsub.*|pmulhrsw|pmaddubsw|blendv?p[sd]|pblend(w|vb)|dpp[sd]|extractps|insertps|mpsadbw|packusdw|" \
      "pcmp(eq|gt)q|pcmp[ei]str[im].*|pextr[bdq]|pinsr[bdq]|p(max|min)(s[bd]|u[dw])|pmov[sz]x.*|pmuldq|pmulld|ptest|" \
      "round[ps][sd]|movntdqa|crc32.*|popcnt.*)$"
    after_avx2 = "^(andn|bextr|bls(i|r|msk)|bzhi|mulx|pdep|pext|rorx|s[ah][lr]x|lzcnt|movbe|adcx|adox|aes.*|" \
      "pclmul.*|sha[12].*)[lq]?$"
    after_avx512 = "^(vperm[bit2]*b|vpmultishift.*|vp(compress|expand)[bw]|vpsh[lr]d.*|vpdp.*|vpopcnt.*|" \
      "vpconflict.*|vplzcnt.*|" \
      "vp(gather|scatter)pf.*|vcvtne.*bf16.*|vdpbf16.*|vp4dp.*|v4f.*|vexp2.*|vcvtp[hs]2p[hs]x?|vaes.*|vgf2.*|" \
      "vpclmul.*)$"
    estimate = "^(v?r(cp|sqrt)(14|28)?[ps][shd]|v?pfrcp.*|v?pfrsqrt.*|u?r(ecpe|sqrte)|fr(ecp|sqrt)[esx])$"
    fused = "^(vf(n?m(add|sub)|maddsub|msubadd)[0-9]*[ps][shd]|v?f?n?madd(ps|pd|ss|sd)4?|fn?m(add|sub)|" \
      "fml[as]l?2?|fcmla)$"
    prefix = "^(rep[a-z]*|lock|data16|notrack|bnd|cs|ds|xacquire|xrelease)$"
    x86 = set ~ /^(baseline|avx2|avx512)$/
  }
  $1 == "object" && NF == 2 { object = $2; next }
  /^Disassembly of section/ { section = substr($4, 1, length($4) - 1); next }
  /file format/ { x86 = /x86-64/; arm = /aarch64/; next }
  !/^ *[0-9a-f]+:\t/ { next }
  {
    instructions++
    name = ""
    for (k = 2; k <= NF && (name == "" || name ~ prefix); k++) name = $k
    why = ""
    if (name ~ estimate) why = "an estimate"
    else if (name ~ fused) {
      if (set == "avx2" && name ~ /^vfmadd(132|213|231)ps$/ && !/%xmm/) print object, section, $1 > list
      else why = "fused"
    } else if (x86) {
      if ((set == "baseline" || set == "plain") &&
          (name ~ vector || $0 ~ wide || name ~ after_sse2)) why = "beyond SSE2"
      else if (set == "avx2" && $0 ~ wider) why = "AVX-512"
      else if (name ~ after_avx2 || name ~ after_avx512) why = "beyond the flags"
    }
    if (why != "") {
      wrong++
      if (wrong <= 20) print object ": " why ":" $0
    }
  }
  END {
    if (!instructions || !(x86 || arm)) { print "no instructions of x86-64 or AArch64 were found"; exit 1 }
    printf "%s: %d instructions, %d wrong\n", set, instructions, wrong
    exit wrong > 0
  }'

if [[ $compiler != GNU || ! -s $fused ]]; then exit 0; fi
# For each fused addition, addr2line prints its address, a line "0x...". Pairs of lines follow: a function and its
# position in the source, from the innermost inlined function outwards.
cut -d ' ' -f 1,2 "$fused" | sort -u | while read -r object section; do
  awk -v object="$object" -v section="$section" '$1 == object && $2 == section { print $3 }' "$fused" |
    "$addr2line" --exe="$object" --section="$section" --addresses --functions --inlines
done | awk '
  function judge() {
    if (address == "" || exact) return
    wrong++
    if (wrong <= 20) print "fused outside of lf_add_where: " address " " place
  }
  /^0x[0-9a-f]+$/ { judge(); address = $1; exact = 0; place = ""; count++; next }
  $1 == "lf_add_where" { exact = 1 }
  { place = place " " $1 }
  END {
    judge()
    printf "%d fused additions, %d outside of lf_add_where\n", count, wrong
    exit wrong > 0
  }'
