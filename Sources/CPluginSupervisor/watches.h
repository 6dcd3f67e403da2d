// The watches of a process's epoll instances: memory of the kernel's that no limit of a process counts, and a share of what the user has.
#pragma once

#include <sys/types.h>

/// How many descriptors the epoll instances that a process has open watch together; -1 if that is unknown.
///
/// - processes: the system's /proc.
int wall_watches_count(int processes, pid_t pid);
