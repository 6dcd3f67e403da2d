// The memory and threads of a worker and its descendants, read from outside its namespaces.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct wall_usage {
  int64_t memory;  // KiB: private, swapped, of its own shared memory, of the machine's reserve of huge pages, and of page tables
  /// At most as much, if all shared memory whose owner was not determined counts.
  int64_t possible;
  int64_t threads;
  /// Whether the process's first thread has ended, while another still runs.
  bool has_lost_first;
};

/// Reads the usage of a process.
///
/// - processes: the system's /proc.
/// - limit: KiB; only usage near or above it is determined exactly, which costs more.
/// Returns false if the process is gone.
bool wall_usage_read(int processes, pid_t pid, int64_t limit, struct wall_usage *usage);
