// Answers the system calls that a worker's filter denies, so that errors can name them, and those that count.
#pragma once

#include "CPluginSupervisor.h"

struct denials {
  int socket;   // from the worker, until the listener has arrived; -1 afterward
  int listener; // -1 before
  struct wall_denials table;
  struct wall_shown *shown;
  int processes; // the system's /proc
  pid_t worker;
  int watches;   // at least as many as the worker's epoll instances have
  /// Whether so many calls were denied that none is waited for any more.
  bool is_flooded;
};

/// Makes a worker's end of the socket, as MODULE_DENIALS; first of all, as long as nothing else has that number. Without it, the filter denies calls
/// by itself.
void wall_denials_start(struct denials *denials);
/// To be called in the supervisor after the worker was started.
void wall_denials_close_other_end(const struct denials *denials);
/// The descriptor to wait for; -1 if there is none. After very many denied calls, calls are answered when something else wakes this process, at the latest
/// when the limits are checked: a plugin that does nothing else keeps it as busy as others do.
int wall_denials_descriptor(const struct denials *denials);
/// Takes the listener, or answers some of the calls.
void wall_denials_answer(struct denials *denials);
