// Processes that run plugins: starting one, watching it, walling it in, and memory that two processes share. Linux only.
//
// Functions that return int return 0 or a count where they went well, else -errno. No function keeps state but
// module_worker_guard, which is called once in a worker.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Descriptors that a worker is started with.
enum { MODULE_CHANNEL = 3, MODULE_LIFELINE = 4, MODULE_CONTROL = 5 };

/// What a worker could be denied; bits.
enum {
  MODULE_WALL_NETWORK = 1,     // a network namespace of its own without interfaces, or no sockets
  MODULE_WALL_PROCESSES = 2,   // a process namespace of its own, or no new processes and no signals to others
  MODULE_WALL_FILES = 4,       // Landlock: only the given files and folders and those of loaded libraries, to be read
  MODULE_WALL_CALLS = 8,       // seccomp: the calls of module_call_rule
  MODULE_WALL_PRIVILEGES = 16, // no capabilities, and no way to new ones
  MODULE_WALL_SIGNALS = 32,    // no signals to others, by whatever way: a process namespace, Landlock's scope, or seccomp
  MODULE_WALL_PROCESS_LIST = 64, // a /proc of its own (a process namespace): which other processes there are
};

/// How a worker ended: sent by its supervisor over the lifeline.
struct module_ending {
  int32_t wait_status;    // as waitpid gives it
  int32_t excess;         // 0; 1 it had too many threads, 2 it used too much memory: its supervisor ended it
  int64_t peak_kibibytes; // of resident memory
  int64_t amount;         // of what it had too much: threads, or KiB
};

/// What a worker may use. Its supervisor looks ten times a second.
struct module_limits {
  uint64_t memory;  // bytes of private memory, its page tables included
  uint64_t threads;
};

/// What a worker says of a fault before it dies of it. As long as a message's header.
struct module_fault {
  uint32_t mark; // MODULE_FAULT_MARK
  int32_t signal;
  int32_t where; // 0 elsewhere, 1 a source frame, 2 just outside a frame, 3 a frame that is not being written
  int32_t reserved[3];
};
#define MODULE_FAULT_MARK 0x4c554146u

/// Starts `program` in a session of its own, with three descriptors (see above), no input, its output sent to standard error (`quiet`:
/// to nowhere), and nothing else open.
int module_spawn(
    const char *program, char *const argv[], char *const envp[], int channel, int lifeline, int control, bool quiet, pid_t *pid);

/// A worker's first life: starts this program again as the worker (argv, to which it adds the bits of what is denied), copies what it
/// writes to its standard error with `name` before each line, waits for it, ends it when the lifeline is closed or it uses more than the
/// limits, says how it ended, and does not return.
void module_supervise(char *const argv[], const char *name, struct module_limits limits) __attribute__((noreturn));

/// Two ends of a stream for bytes and descriptors, closed on exec.
int module_socket_pair(int ends[2]);
/// Sends all bytes, with up to 4 descriptors on the first of them. -ETIMEDOUT where that takes longer than `timeout` ms.
int module_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count, int timeout);
/// Receives up to `count` bytes: waits at most `timeout` ms (-ETIMEDOUT; -1 for ever). 0 at the end of the stream. Descriptors beyond
/// the capacity are closed.
ssize_t module_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count, int capacity, int timeout);

/// Whether there is something to receive, or the stream has ended, within `timeout` ms.
bool module_wait(int socket, int timeout);
void module_close(int descriptor);

/// Memory that a descriptor stands for.
int module_memory_make(size_t byte_count);
/// Fixes its size and its seals. `against_writing`: only mappings that are there already can write from now on. 1 where the kernel sees to
/// that, 0 where it does not or was not asked.
int module_memory_seal(int descriptor, bool against_writing);
/// Maps it between two pages that nobody can touch; `prot` 0 none, 1 read, 2 read and write.
int module_memory_map(int descriptor, size_t byte_count, int prot, void **base);
void module_memory_unmap(void *base, size_t byte_count);
/// Another descriptor of the same memory, through which nobody can write.
int module_memory_read_only(int descriptor);
/// Copies bytes that do not overlap and that this processor will not need soon.
void module_copy(void *to, const void *from, size_t count);
/// Whether `count` bytes all have a value.
bool module_bytes_are(const void *bytes, size_t count, uint8_t value);

/// Memory that another process writes a frame to. Large ones are made of large pages where the system has them, which spares both
/// processes most of their address translation; the frame stands at its end, before memory that nobody can touch.
struct module_output {
  void *outer; // all that is reserved
  size_t outer_length;
  void *base;  // the first byte; byte_count of them, and page_byte_count before them that belong to nothing
  int descriptor;
};
int module_output_make(size_t byte_count, struct module_output *output);
void module_output_free(struct module_output *output);
/// Bytes of the whole memory, and where in it a frame stands.
size_t module_output_length(size_t byte_count);
size_t module_output_offset(size_t byte_count);

/// A place where memory can be written now and then: between times its pages are elsewhere. Moving their tables costs a tenth of what a
/// change of every page's protection does.
struct module_window {
  void *outer; // all that is reserved
  size_t outer_length;
  void *place; // where it is written
  void *shelf; // where it is kept meanwhile; NULL where it cannot be moved
  size_t length;
};
/// Makes a closed one. The descriptor is not needed afterwards.
int module_window_make(int descriptor, size_t length, struct module_window *window);
int module_window_open(struct module_window *window);
int module_window_close(struct module_window *window);
void module_window_free(struct module_window *window);

/// A worker's beginnings: limits of memory, descriptors and files written, the standard output kept in memory, faults told over the
/// channel before they kill.
int module_worker_guard(uint64_t memory_limit);
/// Descriptors that a worker may have open.
enum { MODULE_DESCRIPTOR_LIMIT = 256 };
/// Tells a mapping to the fault handler, or forgets it: `kind` 1 a source, 2 an output, 0 forget.
void module_worker_note(void *base, size_t byte_count, int kind);
/// Bytes that were written to the standard output; the first of them are copied. Starts over.
int64_t module_worker_output(char *text, size_t capacity);
/// Private memory in bytes.
int64_t module_worker_memory(void);
/// Bytes that the C library's allocator has given out and not got back, exactly; -1 where it does not say.
int64_t module_worker_allocated(void);
/// Walls: privileges, files and system calls; with `makes_frames` not against shared memory, which no limit of a process
/// counts. `system` may be read, links followed; `own` may be read where no link is meant. Returns the bits of what could be denied. Call
/// with one thread.
int module_worker_confine(
    const char *const *system, int system_count, const char *const *own, int own_count, bool makes_frames);

/// A call that the filter denies.
struct module_call {
  const char *name;
  const char *when;   // which uses of it; empty for all
  int32_t number;
  int32_t outcome;    // the error that it meets; 0 ends the process
  int64_t example[6]; // arguments that are denied, and would do nothing elsewhere
};
/// Rules of the filter, from 0.
int module_call_count(void);
/// False if this machine has no such call or the filter lets it through.
bool module_call_rule(int index, bool makes_frames, struct module_call *call);

/// What comes to a standard error stream, as it may be shown: whole lines with a name before them, no control characters, not too much.
struct module_messages {
  char prefix[128];
  char line[1024];
  size_t length;     // of the line that is being read
  size_t shown;      // bytes so far
  bool is_cut;
};
void module_messages_start(struct module_messages *messages, const char *name);
/// Takes bytes and writes what is complete to `output`, without waiting for it to make room; `is_end`: what is not complete too.
void module_messages_take(struct module_messages *messages, const char *bytes, size_t count, bool is_end, int output);

/// The SHA-256 of a file's bytes.
int module_file_digest(const char *path, uint8_t digest[32]);
/// A copy of a regular file in memory that nobody can write to, and the SHA-256 of the copy; a link as the path's last part is not
/// followed. Returns a descriptor, which the caller closes.
int module_image_make(const char *path, const char *name, uint8_t digest[32]);

/// The floating-point control state and the locale, as one number to be compared.
uint64_t module_floating_state(void);
uint64_t module_locale_state(void);
/// Threads of this process, and descriptors that it has open.
int module_thread_count(void);
int module_descriptor_count(void);
