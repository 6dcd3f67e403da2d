// The supervisor of a worker: a small program that starts the worker, watches it from outside, and never reads what the worker sends to the host.
// It depends on the C library alone. Linux only.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The version of what host, supervisor and worker say to each other. Programs of different versions refuse each other with WALL_OTHER_VERSION.
enum { WALL_INTERFACE = 8, WALL_OTHER_VERSION = 125 };

/// Descriptors with which a supervisor is started. MODULE_PROGRAM is the worker's program, MODULE_SUPERVISOR the supervisor's own.
enum { MODULE_CHANNEL = 3, MODULE_LIFELINE = 4, MODULE_CONTROL = 5, MODULE_SHOWN = 6, MODULE_PROGRAM = 7, MODULE_SUPERVISOR = 8 };
/// The descriptor with which a worker is started to hand over its denied calls; see wall_denials.
enum { MODULE_DENIALS = 9 };
enum { MODULE_SPAWN_COUNT = 6 };

/// Restrictions on a worker; bits.
enum {
  MODULE_WALL_NETWORK = 1,     // a network namespace without interfaces, or no sockets
  MODULE_WALL_PROCESSES = 2,   // a process namespace, or no new processes and no signals to others
  MODULE_WALL_FILES = 4,       // Landlock: only the given files and folders and those of loaded libraries, read-only
  MODULE_WALL_CALLS = 8,       // seccomp: only the calls that module_call_rule allows
  MODULE_WALL_PRIVILEGES = 16, // no capabilities, and no way to gain them
  MODULE_WALL_SIGNALS = 32,    // no signals to others by any means: a process namespace, Landlock's scope, or seccomp
  MODULE_WALL_PROCESS_LIST = 64, // a private /proc (a process namespace), which hides other processes
  MODULE_WALL_GROUP = 128,       // a control group, in which the kernel limits memory and threads, too
  MODULE_WALL_SOCKETS = 256,     // seccomp: no sockets that other programs listen on under the name of a file
  MODULE_WALL_KEYS = 512,        // no calls for keys (seccomp), or a kernel without them
};

/// The exit report of a worker, sent by its supervisor over the lifeline.
struct wall_ending {
  int32_t wait_status;    // from waitpid
  int32_t excess;         // 0, or the reason why the supervisor ended it: 1 too many threads, 2 too much memory, 3 the first thread has
                          // ended and others go on, which hides the process's memory
  int64_t peak_kibibytes; // of resident memory
  int64_t amount;         // the excessive amount: threads, or KiB
};

/// The limits of a worker, checked by its supervisor ten times per second, more often close to the limit of memory, and before each new thread.
struct wall_limits {
  uint64_t memory;  // bytes of its own memory of all kinds, of all its processes, including page tables
  uint64_t threads;
};

/// System calls have lower numbers.
enum { WALL_CALLS = 512 };

/// The most descriptors that the epoll instances of a worker watch together; about as many as it can have open.
enum { WALL_WATCHES = 256 };

/// The messages shown so far of all workers of a plugin, and the system calls that were denied to them, in memory that their supervisors share (MODULE_SHOWN).
struct wall_shown {
  uint32_t byte_count;
  uint32_t is_cut;
  /// How often each system call was denied, by number; up to the largest value.
  uint16_t denied[WALL_CALLS];
};

/// What a worker sends once over MODULE_DENIALS before it opens a plugin, with the listener of its filter: the error of each call that the filter leaves
/// to the supervisor, by number. The supervisor counts the calls, and answers them with the errors. It lets two kinds of calls through, which take what no
/// limit of the kernel counts for a process: new threads, after which it checks the limits, and watches of epoll, of which there may be WALL_WATCHES. It
/// decides by numbers in registers alone, and reads no memory of the worker.
struct wall_denials {
  uint16_t errors[WALL_CALLS];
};

/// Supervises a worker: starts it, copies its standard error with a name before each line, waits for it, ends it when the lifeline is closed or it
/// exceeds the limits, sends its exit report, and exits.
///
/// - arguments: argv of a supervisor: program, command, role, interface, bytes of memory, threads, name. The worker's are program, command, "work",
///   interface, and the bits of the restrictions in effect.
/// - can_copy: whether this program can be the worker, too, as a copy of this process; otherwise, and if this process has threads, the worker is started
///   from MODULE_PROGRAM.
/// Returns only in a worker that is a copy: the bits of the restrictions in effect.
int wall_supervise(int count, char *const arguments[], bool can_copy);

/// Converts a standard error stream to displayable form: whole lines prefixed with a name, without control characters, limited in length.
struct wall_messages {
  char prefix[128];
  char line[1024];
  size_t length; // of the current line
  struct wall_shown *shown;
};
void wall_messages_start(struct wall_messages *messages, const char *name, struct wall_shown *shown);
/// Takes bytes and writes complete lines to `output` without blocking, which takes a few milliseconds at most; with `is_end`, incomplete ones, too. Lines that
/// the stream doesn't take yet wait.
void wall_messages_take(struct wall_messages *messages, const char *bytes, size_t count, bool is_end, int output);
