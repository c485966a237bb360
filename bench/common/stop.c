/* SPDX-License-Identifier: MIT */
#include "common/stop.h"

#include <signal.h>
#include <stddef.h>

#define EXIT_BY_SIGNAL 128

static volatile sig_atomic_t signal_seen = 0;

/* Records the first signal, and restores the default action of SIGINT and SIGTERM, so that a second one ends the
 * program. Later SIGHUPs are ignored, because a terminal that closes sends it more than once. */
static void note(int signal_number) {
  if (signal_seen == 0) signal_seen = signal_number;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_IGN);
}

static void catch_once(int signal) {
  struct sigaction action;
  if (sigaction(signal, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = (struct sigaction){.sa_handler = note, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, NULL);
}

void stop_on_signals(void) {
  catch_once(SIGINT);
  catch_once(SIGTERM);
  catch_once(SIGHUP);
}

bool stop_wanted(void) { return signal_seen != 0; }

const char *stop_name(void) { return signal_seen == SIGTERM ? "SIGTERM" : signal_seen == SIGHUP ? "SIGHUP" : "Ctrl-C"; }

int stop_exit_status(void) { return EXIT_BY_SIGNAL + signal_seen; }
