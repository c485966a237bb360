# throng_options holds the compiler options of all targets of this project. Link it PRIVATE.

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  message(FATAL_ERROR "throng needs GCC or Clang (on Windows clang-cl), not ${CMAKE_C_COMPILER_ID}")
endif()

# A compiler that fuses a multiply and an add changes the bits of every frame.
set(exact_flags -ffp-contract=off -fno-math-errno)
if(CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
  list(TRANSFORM exact_flags PREPEND "/clang:")
endif()

add_library(throng_options INTERFACE)
target_compile_options(throng_options INTERFACE ${exact_flags} -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                                $<$<BOOL:${THRONG_WERROR}>:-Werror>)

# With _POSIX_C_SOURCE, which programs define, macOS hides names that are not in POSIX.
target_compile_definitions(throng_options INTERFACE $<$<PLATFORM_ID:Darwin>:_DARWIN_C_SOURCE>)

# Without a build type CMake does not optimise, which makes a step tens of times slower. So throng's own targets then
# get -O2. A project that includes throng keeps its empty build type. A level in CMAKE_C_FLAGS has precedence.
if(NOT CMAKE_C_FLAGS MATCHES "(^| )-O")
  target_compile_options(throng_options INTERFACE $<$<STREQUAL:$<CONFIG>,>:-O2>)
  target_compile_definitions(throng_options INTERFACE $<$<STREQUAL:$<CONFIG>,>:NDEBUG>)
endif()
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if(build_type STREQUAL "DEBUG" AND NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_DEBUG}" MATCHES "(^| )-O[1-9sgf]")
  message(STATUS "throng: Debug: the kernel is not optimised, so steps take tens of times as long; "
                 "RelWithDebInfo is fast")
endif()

# A hardened build stops after a mistake of the host or of throng instead of going on. The agents' bits do not change.
if(THRONG_HARDENED)
  include(CheckCCompilerFlag)
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "THRONG_COMPILER_HAS${flag}" has_flag)
    check_c_compiler_flag(${flag} ${has_flag})
    target_compile_options(throng_options INTERFACE $<$<BOOL:${${has_flag}}>:${flag}>)
  endforeach()
  # The C library checks sizes only in optimised code.
  target_compile_options(throng_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                                                  $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
  target_compile_definitions(throng_options INTERFACE THRONG_ASSERTIONS)
endif()
