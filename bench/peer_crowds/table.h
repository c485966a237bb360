/* table.h: writes the results of a contest as text, Markdown and JSON.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdio.h>

#include "contest.h"

/* Prints what was timed, and on which machine. */
void table_head(const peers_options *options);
void table_print(const peer_contest *contest, const peers_options *options);
/* Prints how to read the tables, the notes on the peers, and a warning if rounds spread too much. */
void table_foot(const peer_contest *contests, const peers_options *options);

bool table_json(FILE *stream, const peer_contest *contests, const peers_options *options);

#endif
