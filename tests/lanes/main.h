/* tests/lanes/main.h: the start of the tests in this folder. SPDX-License-Identifier: MIT */
#ifndef TEST_LANES_MAIN_H
#define TEST_LANES_MAIN_H

/* Runs the tests of a program and returns its exit status. main() calls it on a CPU with the instruction set. */
int test_lanes_main(void);

#endif
