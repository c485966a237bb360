# throng_options: what everything in this project is compiled with. Link it PRIVATE.

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
