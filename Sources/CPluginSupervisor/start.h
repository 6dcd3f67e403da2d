// Starting a worker in namespaces of its own.
#pragma once

#include "group.h"

#include <stdbool.h>
#include <sys/types.h>

// The arguments of a supervisor; see wall_supervise.
enum { PROGRAM, COMMAND, ROLE, INTERFACE, MEMORY, THREADS, NAME, ARGUMENT_COUNT };

/// Leaves the keys of the user's session, and enters the namespaces that the system allows. Returns the bits of the restrictions.
int wall_unshare(void);

/// Starts a worker whose standard output and standard error are `messages`. Returns 0 in a worker that is a copy of this process.
pid_t wall_start_worker(char *const arguments[], bool can_copy, int walls, int messages, const struct group *group);
