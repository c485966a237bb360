# throng_simde: the SIMDe headers. A build dependency of the SIMD sources alone: nothing of it is installed.

# Headers only, so a cross build may use those of the build machine.
find_path(THRONG_SIMDE_INCLUDE_DIR simde/x86/sse2.h NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(THRONG_SIMDE_INCLUDE_DIR)

if(THRONG_SIMDE_INCLUDE_DIR)
  set(simde_dir ${THRONG_SIMDE_INCLUDE_DIR})
  if(CMAKE_CROSSCOMPILING)
    # Beside them may lie the build machine's C library, so point at a folder that holds nothing else.
    set(simde_dir ${PROJECT_BINARY_DIR}/simde)
    file(MAKE_DIRECTORY ${simde_dir})
    file(CREATE_LINK ${THRONG_SIMDE_INCLUDE_DIR}/simde ${simde_dir}/simde SYMBOLIC)
  endif()
else()
  include(FetchContent)
  # SOURCE_SUBDIR names no folder: only the headers are wanted, not SIMDe's own build.
  FetchContent_Declare(simde GIT_REPOSITORY https://github.com/simd-everywhere/simde.git GIT_TAG v0.7.6
                       GIT_SHALLOW ON SOURCE_SUBDIR headers-only)
  FetchContent_MakeAvailable(simde)
  set(simde_dir ${simde_SOURCE_DIR})
endif()

add_library(throng_simde INTERFACE)
target_include_directories(throng_simde SYSTEM INTERFACE ${simde_dir})
target_compile_definitions(throng_simde INTERFACE $<$<NOT:$<BOOL:${THRONG_SIMD}>>:SIMDE_NO_NATIVE>)
