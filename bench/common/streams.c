/* SPDX-License-Identifier: MIT */
#include "common/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void streams_begin(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  /* Closed streams become /dev/null, opened in the wrong direction: standard input only for writing, the other two only
   * for reading. So reading or printing still fails. */
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int streams_end(const char *program, int status) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "%s: standard output: cannot write: %s\n", program, errno ? strerror(errno) : "text was lost");
  return status == EXIT_SUCCESS ? EXIT_FAILURE : status;
}
