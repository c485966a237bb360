/* phases.h: runs a stage over the strips of a piece of a world. If the host has a function `begin`, the strips of the
 * rim run in phase 0. The host then begins to send, and the other strips run in the phases after it. Contact iterations
 * do the same for `contact_begin`. A strip's phase does not change what it computes.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_PIECES_PHASES_H
#define THRONG_KERNEL_PIECES_PHASES_H

#include "frame/frame.h"

/* Runs the stage on all strips, except those that hold only ghosts. */
void throng_phases_run(struct frame_run run);

#endif
