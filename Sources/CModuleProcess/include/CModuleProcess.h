// Processes that run modules: starting one, watching it, walling it in, and memory that two processes share. Linux only.
//
// Functions that return int return 0 or a count where they went well, else -errno. No function keeps state but
// module_worker_guard, which is called once in a worker.
#ifndef CMODULEPROCESS_H
#define CMODULEPROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Descriptors that a helper is started with.
enum { MODULE_CHANNEL = 3, MODULE_LIFELINE = 4, MODULE_CONTROL = 5 };

// What a worker could be denied; bits.
enum {
  MODULE_WALL_NETWORK = 1,   // a network namespace of its own without interfaces, or no sockets
  MODULE_WALL_PROCESSES = 2, // a process namespace of its own, or no new processes and no signals to others
  MODULE_WALL_FILES = 4,     // Landlock: only the given files and folders and those of loaded libraries, to be read
  MODULE_WALL_CALLS = 8,     // seccomp: no processes, sockets, tracing, signals to others
};

// How a worker ended: sent by its supervisor over the lifeline.
struct module_ending {
  int32_t wait_status;    // as waitpid gives it
  int32_t reserved;
  int64_t peak_kibibytes; // of resident memory
};

// What a worker says of a fault before it dies of it.
struct module_fault {
  uint32_t mark; // MODULE_FAULT_MARK
  int32_t signal;
  int32_t where; // 0 elsewhere, 1 a source frame, 2 just outside a frame, 3 a frame that is not being written
  int32_t reserved;
};
#define MODULE_FAULT_MARK 0x4c554146u

// Starts `program` with its own process group, three descriptors (see above), no input, its output sent to standard error (`quiet`:
// to nowhere), and nothing else open.
int module_spawn(
    const char *program, char *const argv[], char *const envp[], int channel, int lifeline, int control, int quiet, pid_t *pid);

// A helper's first life: starts this program again as the worker (argv, to which it adds the bits of what is denied), waits for it, ends
// it when the lifeline is closed, says how it ended, and does not return.
void module_supervise(char *const argv[]) __attribute__((noreturn));

// Two ends of a stream for bytes and descriptors, closed on exec.
int module_socket_pair(int ends[2]);
// Sends all bytes, with up to 4 descriptors on the first of them. -ETIMEDOUT after `timeout` ms.
int module_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count, int timeout);
// Receives up to `count` bytes: waits at most `timeout` ms (-ETIMEDOUT; -1 for ever). 0 at the end of the stream. Descriptors beyond
// the capacity are closed.
ssize_t module_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count, int capacity, int timeout);

// Whether there is something to receive, or the stream has ended, within `timeout` ms.
int module_wait(int socket, int timeout);
void module_close(int descriptor);

// Memory that a descriptor stands for. The size cannot be changed afterwards.
int module_memory_make(size_t byte_count);
// Maps it between two pages that nobody can touch; `prot` 0 none, 1 read, 2 read and write.
int module_memory_map(int descriptor, size_t byte_count, int prot, void **base);
void module_memory_unmap(void *base, size_t byte_count);
// Another descriptor of the same memory, through which nobody can write.
int module_memory_read_only(int descriptor);
// Whether `count` bytes all have a value.
int module_bytes_are(const void *bytes, size_t count, uint8_t value);

// A place where memory can be written now and then: between times its pages are elsewhere. Moving their tables costs a tenth of what a
// change of every page's protection does.
struct module_window {
  void *outer; // all that is reserved
  size_t outer_length;
  void *place; // where it is written
  void *shelf; // where it is kept meanwhile; NULL where it cannot be moved
  size_t length;
};
// Makes a closed one. The descriptor is not needed afterwards.
int module_window_make(int descriptor, size_t byte_count, struct module_window *window);
int module_window_open(struct module_window *window);
int module_window_close(struct module_window *window);
void module_window_free(struct module_window *window);

// A worker's beginnings: limits of memory and of files written, the standard output kept in memory, faults told over the
// channel before they kill.
int module_worker_guard(uint64_t memory_limit);
// Tells a mapping to the fault handler, or forgets it: `kind` 1 a source, 2 an output, 0 forget.
void module_worker_note(void *base, size_t byte_count, int kind);
// Bytes that were written to the standard output; the first of them are copied. Starts over.
int64_t module_worker_output(char *text, size_t capacity);
// Private memory in bytes.
int64_t module_worker_memory(void);
// Bytes that the C library's allocator has given out and not got back, exactly; -1 where it does not say.
int64_t module_worker_allocated(void);
// Walls: files and system calls; with `makes_frames` not against shared memory, which no limit of a process counts. Returns the bits of
// what could be denied. Call with one thread.
int module_worker_confine(const char *const *readable, int count, int makes_frames);

// The floating-point control state and the locale, as one number to be compared.
uint64_t module_floating_state(void);
uint64_t module_locale_state(void);
// Threads of this process, and descriptors that it has open.
int module_thread_count(void);
int module_descriptor_count(void);

#endif
