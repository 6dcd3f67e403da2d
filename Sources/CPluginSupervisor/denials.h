// Answers the system calls that a worker's filter denies, so that errors can name them.
#pragma once

#include "CPluginSupervisor.h"

struct denials {
  int socket;   // from the worker, until the listener has arrived; -1 afterward
  int listener; // -1 before
  struct wall_denials table;
  struct wall_shown *shown;
};

/// Makes a worker's end of the socket, as MODULE_DENIALS; first of all, as long as nothing else has that number. Without it, the filter denies calls
/// by itself.
void wall_denials_start(struct denials *denials);
/// To be called in the supervisor after the worker was started.
void wall_denials_close_other_end(const struct denials *denials);
/// The descriptor to wait for; -1 if there is none.
int wall_denials_descriptor(const struct denials *denials);
/// Takes the listener, or answers some of the calls.
void wall_denials_answer(struct denials *denials);
