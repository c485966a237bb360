# THRONG_INSTRUCTION_SETS: the sets for which this build compiles kernel/passes. Each has an interface target,
# throng_isa_<set>, with its flags. THRONG_ISA_TABLES names those wanted on x86-64; elsewhere the baseline is the only
# set. SIMDe chooses instructions by compiler macros, so each file needs its flags.

include(CheckCCompilerFlag)
include(CheckSymbolExists)
include(kernel/package/simde.cmake)

set(THRONG_INSTRUCTION_SETS)
function(throng_add_instruction_set name lanes)
  string(TOUPPER ${name} upper)
  if(ARGN)
    string(JOIN " " flags ${ARGN})
    check_c_compiler_flag("${flags}" THRONG_COMPILER_HAS_${upper})
    if(NOT THRONG_COMPILER_HAS_${upper})
      message(STATUS "throng: the compiler lacks ${name}")
      return()
    endif()
  endif()
  add_library(throng_isa_${name} INTERFACE)
  target_compile_options(throng_isa_${name} INTERFACE ${ARGN})
  target_compile_definitions(throng_isa_${name} INTERFACE THRONG_PASS_ISA=${name} THRONG_LANES=${lanes})
  target_link_libraries(throng_isa_${name} INTERFACE throng_options throng_simde)
  set(THRONG_INSTRUCTION_SETS ${THRONG_INSTRUCTION_SETS} ${name} PARENT_SCOPE)
endfunction()

# The compiler knows its target best: Emscripten reports the processor as x86, Apple's builds may cross.
check_symbol_exists(__x86_64__ stddef.h THRONG_TARGET_X86_64)
check_symbol_exists(__aarch64__ stddef.h THRONG_TARGET_AARCH64)

set(known_sets baseline avx2 avx512)
foreach(set IN LISTS THRONG_ISA_TABLES)
  if(NOT set IN_LIST known_sets)
    list(JOIN known_sets ", " known)
    message(FATAL_ERROR "throng: THRONG_ISA_TABLES has ${set}, which is none of ${known}")
  endif()
endforeach()

if(THRONG_SIMD AND THRONG_TARGET_AARCH64)
  throng_add_instruction_set(neon 4)
else()
  throng_add_instruction_set(baseline 4)
endif()
if(THRONG_SIMD AND THRONG_TARGET_X86_64)
  if(avx2 IN_LIST THRONG_ISA_TABLES)
    throng_add_instruction_set(avx2 8 -mavx2 -mfma)
  endif()
  if(avx512 IN_LIST THRONG_ISA_TABLES)
    throng_add_instruction_set(avx512 16 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma
                               -mprefer-vector-width=512)
  endif()
endif()
