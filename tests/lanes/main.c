/* tests/lanes/main.c: skips the tests of an instruction set that this CPU lacks. The build compiles this file alone
 * without that set: a compiler may use its instructions in any function, main() too. SPDX-License-Identifier: MIT */
#include "lanes/main.h"

#include <throng/throng.h>

#include <stdio.h>

int main(void) {
  if (!throng_isa_is_available(throng_isa_from_name(INSTRUCTION_SET))) {
    printf("this CPU lacks %s\n", INSTRUCTION_SET);
    return 77;
  }
  return test_lanes_main();
}
