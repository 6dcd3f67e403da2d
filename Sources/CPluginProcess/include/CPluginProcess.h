// Processes that run plugins: starting, supervising and sandboxing them, and memory shared by two processes. Linux only.
//
// Functions that return int return 0 or a count on success, otherwise -errno. Functions are stateless, except module_worker_guard, which is called
// once in a worker.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <CPluginSupervisor.h>

/// A worker's report of a fault before it crashes. As long as a message's header.
struct module_fault {
  uint32_t mark; // MODULE_FAULT_MARK
  int32_t signal;
  int32_t where; // 1 a source frame, 2 just outside a frame, 3 a frame that is not being written, 0 elsewhere; for SIGSYS, the number of the call
  int32_t reserved[3];
};
#define MODULE_FAULT_MARK 0x4c554146u

/// Opens a program to be executed, and returns its descriptor.
int module_program_open(const char *path);

/// Starts a supervisor in a new session, with MODULE_SPAWN_COUNT descriptors (from MODULE_CHANNEL to MODULE_SUPERVISOR, which is its program), no input,
/// its output redirected to standard error (`quiet`: discarded), and no other open descriptors.
int module_spawn(char *const argv[], char *const envp[], const int descriptors[], bool quiet, pid_t *pid);

/// Ends a supervisor that does not respond, with its worker and what that has started: a worker may have got rid of the signal that ends it with its parent.
/// The caller waits for the supervisor afterward.
void module_end_supervisor(pid_t pid);

/// Creates both ends of a stream for bytes and descriptors, closed on exec.
int module_socket_pair(int ends[2]);
/// Sends all bytes, with up to 4 descriptors attached to the first. Returns -ETIMEDOUT if that takes longer than `timeout` ms.
int module_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count, int timeout);
/// Receives up to `count` bytes, waiting at most `timeout` ms in all (-ETIMEDOUT; -1 forever). Returns 0 at the end of the stream, and -EPROTO if urgent
/// bytes (MSG_OOB) were sent. Descriptors beyond the capacity are closed. If the capacity is 0, none are received, and -EBADMSG is returned if some were
/// sent.
ssize_t module_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count, int capacity, int timeout);

void module_close(int descriptor);

/// Creates memory and returns its descriptor.
int module_memory_make(size_t byte_count);
/// Seals its size. `against_writing`: only existing mappings can write from now on. Returns 1 if the kernel enforces that, 0 if it does not or was
/// not asked to.
int module_memory_seal(int descriptor, bool against_writing);
/// Maps it between two inaccessible pages; `prot` is 0 none, 1 read, 2 read and write.
int module_memory_map(int descriptor, size_t byte_count, int prot, void **base);
/// Maps memory of this process alone between two inaccessible pages; module_memory_unmap releases it.
int module_memory_private(size_t byte_count, void **base);
void module_memory_unmap(void *base, size_t byte_count);
/// Returns another descriptor of the same memory, which does not allow writing.
int module_memory_read_only(int descriptor);
/// Copies nonoverlapping bytes that this processor will not need soon.
void module_copy(void *to, const void *from, size_t count);
/// Whether `count` bytes all have a given value.
bool module_bytes_are(const void *bytes, size_t count, uint8_t value);

/// Memory to which another process writes a frame. Large ones use huge pages if the system has them, which saves both processes most of their address
/// translation. The frame is at its end, before inaccessible memory.
struct module_output {
  void *outer; // start of the reservation
  size_t outer_length;
  void *base;  // the first of byte_count bytes; page_byte_count unused bytes precede it
  int descriptor;
};
int module_output_make(size_t byte_count, struct module_output *output);
void module_output_free(struct module_output *output);
/// The length of the memory, and the offset of the frame.
size_t module_output_length(size_t byte_count);
size_t module_output_offset(size_t byte_count);

/// A place where memory is writable at certain times; at other times its pages are elsewhere. Moving page tables costs a tenth of changing every
/// page's protection.
struct module_window {
  void *outer; // start of the reservation
  size_t outer_length;
  void *place; // its address while it is open
  void *shelf; // its address while it is closed; NULL if it cannot be moved
  size_t length;
};
/// Creates a closed window. The descriptor is not needed afterward.
int module_window_make(int descriptor, size_t length, struct module_window *window);
int module_window_open(struct module_window *window);
int module_window_close(struct module_window *window);
void module_window_free(struct module_window *window);

/// Initializes a worker: limits of memory, signals and files, capture of the standard output in memory, and reports of faults over the channel
/// before they end the process.
int module_worker_guard(uint64_t memory_limit);

/// Limits the descriptors of a worker; after module_worker_confine, which sends one. The kernel compares this limit with the descriptors of all of the user's
/// processes that were sent and not received yet.
void module_worker_limit_descriptors(void);
/// The maximum number of open descriptors of a worker.
enum { MODULE_DESCRIPTOR_LIMIT = 256, MODULE_SIGNAL_LIMIT = 256 };
/// The largest file of a module, in bytes: all of it is read into memory, before anything limits what it takes.
enum { MODULE_LARGEST_FILE = 1 << 30 };
/// The most bytes of a module's file that may be holes, which take no room on a disk, but would in memory.
enum { MODULE_MOST_HOLES = 16 << 20 };
/// Registers a mapping with the fault handler, or removes it: `kind` 1 a source, 2 an output, 0 remove.
void module_worker_note(void *base, size_t byte_count, int kind);
/// The number of bytes written to the standard output, the first of which are copied. Resets the count.
int64_t module_worker_output(char *text, size_t capacity);
/// Private memory in bytes.
int64_t module_worker_memory(void);
/// The bytes that count toward the limit of private memory, touched or not; 0 if unknown.
int64_t module_worker_data(void);
/// The bytes currently allocated by the C library's allocator, exactly; -1 if it does not report them.
int64_t module_worker_allocated(void);
/// Applies restrictions of privileges, files and system calls. `system` may be read, following links; `own` may be read without following links: of
/// these, only `folder` (NULL for none) if it is a folder, and the others if they are files. Returns the bits of the restrictions in effect. Call this
/// with a single thread.
int module_worker_confine(
    const char *const *system, int system_count, const char *const *own, int own_count, const char *folder);

/// What the filter does with a system call, or with some uses of it.
struct module_call {
  const char *name;
  const char *denied; // the denied uses of a call that is otherwise allowed; empty for all uses
  const char *reason; // what the call does, which is why it is allowed or denied
  int32_t number;     // on this machine; -1 if it has no such call
  int32_t x86_64, aarch64;
  int32_t outcome;    // the error returned by a denied call; 0 ends the process
  bool is_allowed;
  int64_t example[6]; // arguments that are denied, and would have no effect otherwise
};
/// The number of entries of the list of calls.
int module_call_count(void);
/// Returns false if there is no such entry.
bool module_call_rule(int index, struct module_call *call);
/// The name of a call by its number on this machine; NULL if it is not in the list.
const char *module_call_name(int number);
/// Reads which system calls were denied to the workers of a plugin, by MODULE_SHOWN's memory: writes up to `capacity` numbers, and returns how many.
int module_denied_calls(int shown, int numbers[], int capacity);

/// Computes the SHA-256 of a file's contents.
int module_file_digest(const char *path, uint8_t digest[32]);
/// Copies a regular file to memory that is sealed against writing, and computes the SHA-256 of the copy; a symbolic link as the path's last component
/// is not followed. Returns a descriptor, which the caller closes, or a negative error: EFBIG for a file above MODULE_LARGEST_FILE, ENOEXEC for
/// one above 1 MiB that does not begin as a library does, ENODATA for a library with holes of more than MODULE_MOST_HOLES. Other holes are holes of the
/// copy.
int module_image_make(const char *path, const char *name, uint8_t digest[32]);

/// Sets the path that a loaded library is known by (to dladdr, among others), if it was loaded from elsewhere. Never unload it.
void module_library_rename(void *library, const char *path);

/// What the target of libavfilter's filters provides; NULL if this program does not contain it.
void *module_filters(void);

/// Whether a file contains a string; false for one of which module_image_make makes no image.
bool module_file_contains(const char *path, const char *text);

/// The floating-point control state and the locale, as numbers for comparison.
uint64_t module_floating_state(void);
uint64_t module_locale_state(void);
/// Records how each signal is handled; called once, before anything of a plugin runs.
void module_signals_note(void);
/// The first signal that is handled differently since then; 0 if there is none. `name` receives its name, such as SIGUSR1.
int module_signals_changed(char *name, size_t capacity);
/// What a plugin changed and did not restore.
enum module_state { MODULE_STATE_SAME, MODULE_STATE_FOLDER, MODULE_STATE_MASK, MODULE_STATE_ENVIRONMENT, MODULE_STATE_TIMER };
/// Records the working folder, the mask of new files and the environment; called once, before anything of a plugin runs.
void module_state_note(void);
/// The first of these that differs since then, or a timer that runs. Call it while no other thread creates files.
enum module_state module_state_changed(void);
/// The number of threads of this process, and of its open descriptors.
int module_thread_count(void);
int module_descriptor_count(void);
