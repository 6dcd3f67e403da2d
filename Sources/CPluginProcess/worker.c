#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MAPPINGS = 1024, GUARD = 4096 };

// Read by the fault handler at any time; written only by the thread that serves the host.
static struct { volatile uintptr_t base; volatile size_t count; volatile int kind; } mappings[MOST_MAPPINGS];
/// The read end of the pipe that captures the plugin's standard output.
static int output_pipe = -1;

void module_worker_note(void *base, size_t byte_count, int kind) {
  int slot = -1;
  for (int i = 0; i < MOST_MAPPINGS; i++) {
    if (mappings[i].base == (uintptr_t)base) { slot = i; break; }
    if (slot < 0 && mappings[i].base == 0) slot = i;
  }
  if (slot < 0) return;
  mappings[slot].count = byte_count;
  mappings[slot].kind = kind;
  mappings[slot].base = kind == 0 ? 0 : (uintptr_t)base;
}

static int place(uintptr_t address) {
  for (int i = 0; i < MOST_MAPPINGS; i++) {
    const uintptr_t base = mappings[i].base;
    if (base == 0) continue;
    const size_t inner = (mappings[i].count + GUARD - 1) / GUARD * GUARD;
    if (address >= base && address < base + inner) return mappings[i].kind == 1 ? 1 : 3;
    if (address >= base - GUARD && address < base + inner + GUARD) return 2;
  }
  return 0;
}

static void fault(int number, siginfo_t *info, void *context) {
  (void)context;
  struct module_fault said = {.mark = MODULE_FAULT_MARK, .signal = number};
  if (number == SIGSEGV || number == SIGBUS) said.where = place((uintptr_t)info->si_addr);
  if (number == SIGSYS) said.where = info->si_syscall;
  send(MODULE_CHANNEL, &said, sizeof said, MSG_NOSIGNAL | MSG_DONTWAIT);
  // The filter of calls keeps this handler.
  if (number == SIGSYS) _exit(128 + SIGSYS);
  // The same instruction faults again, now without a handler; a signal that was sent is sent again.
  signal(number, SIG_DFL);
  if (info->si_code <= 0) raise(number);
  if (number == SIGABRT) _exit(134);
}

static int catch_faults(void) {
  const size_t size = 1 << 16;
  void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return -errno;
  const stack_t alternate = {.ss_sp = stack, .ss_size = size};
  sigaltstack(&alternate, NULL);
  struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
  return 0;
}

/// Bytes of the process: all that is mapped, what is resident, and what of that has a file or is shared.
static int read_sizes(int64_t *all, int64_t *resident, int64_t *shared) {
  // Read after every frame, so the file stays open.
  static int file = -1;
  if (file < 0) file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128];
  const ssize_t length = pread(file, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  long pages[3];
  if (sscanf(text, "%ld %ld %ld", &pages[0], &pages[1], &pages[2]) < 3) return 0;
  const int64_t size = sysconf(_SC_PAGESIZE);
  *all = pages[0] * size, *resident = pages[1] * size, *shared = pages[2] * size;
  return 1;
}

static uint64_t address_space(void) {
  int64_t all, resident, shared;
  return read_sizes(&all, &resident, &shared) ? (uint64_t)all : 0;
}

static void limit(int resource, rlim_t value) {
  struct rlimit current;
  if (getrlimit(resource, &current) != 0) return;
  if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max) value = current.rlim_max;
  const struct rlimit limits = {value, value};
  setrlimit(resource, &limits);
}

/// Page tables are memory that RLIMIT_DATA doesn't count, and take 1/512 of the address space that is touched: bounded to a tenth of the limit. Frames that the
/// host lends are mapped, too, so there is room for some of any size.
static void limit_address_space(uint64_t memory_limit) {
  const uint64_t least = (uint64_t)16 << 30;
  const uint64_t added = memory_limit > UINT64_MAX / 1024 ? 0 : memory_limit * 51;
  if (added > 0) limit(RLIMIT_AS, (rlim_t)((added > least ? added : least) + address_space()));
}

int module_worker_guard(uint64_t memory_limit) {
  prctl(PR_SET_NAME, "compositor-mod");
  limit(RLIMIT_CORE, 0);
  // A plugin has no files to write. Without the filter of calls it could keep memory in files that are not mapped, which no process is said to have.
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_DATA, (rlim_t)memory_limit);
  limit_address_space(memory_limit);
  limit(RLIMIT_STACK, 8 << 20);
  limit(RLIMIT_MEMLOCK, 64 << 10);
  // Queued signals are a share of the user, not of the process.
  limit(RLIMIT_SIGPENDING, MODULE_SIGNAL_LIMIT);
  signal(SIGXFSZ, SIG_IGN);
  // The host only writes to it. Descriptors that were sent there would never be received: they stay open, and count for no process.
  shutdown(MODULE_CONTROL, SHUT_WR);
  // A pipe holds 64 KiB; further writes are refused.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    output_pipe = ends[0];
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
  }
  return catch_faults();
}

void module_worker_limit_descriptors(void) {
  // By the call that the filter allows for the own process.
  struct rlimit current;
  if (prlimit(0, RLIMIT_NOFILE, NULL, &current) != 0) return;
  const rlim_t value = current.rlim_max < MODULE_DESCRIPTOR_LIMIT ? current.rlim_max : MODULE_DESCRIPTOR_LIMIT;
  prlimit(0, RLIMIT_NOFILE, &(struct rlimit){value, value}, NULL);
}

int64_t module_worker_output(char *text, size_t capacity) {
  fflush(stdout);
  const ssize_t count = output_pipe < 0 ? -1 : read(output_pipe, text, capacity - 1);
  text[count < 0 ? 0 : count] = 0;
  char rest[4096];
  for (int round = 0; round < 32 && count > 0 && read(output_pipe, rest, sizeof rest) > 0; round++) {}
  return count < 0 ? 0 : count;
}

int64_t module_worker_memory(void) {
  int64_t all, resident, shared;
  // Resident pages without a backing file; frames are shared pages.
  return read_sizes(&all, &resident, &shared) ? resident - shared : 0;
}

int64_t module_worker_allocated(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 state = mallinfo2();
  return (int64_t)(state.uordblks + state.hblkhd);
#else
  return -1;
#endif
}

uint64_t module_floating_state(void) {
#if defined(__x86_64__)
  unsigned int mxcsr;
  __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
  unsigned short x87;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  // Without the flags that every inexact result sets.
  return (uint64_t)(mxcsr & ~0x3fu) << 16 | x87;
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return (uint64_t)fegetround();
#endif
}

uint64_t module_locale_state(void) {
  uint64_t hash = 0xcbf29ce484222325u;
  const char *name = setlocale(LC_ALL, NULL);
  for (; name && *name; name++) hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
  return hash ^ (uint64_t)(uintptr_t)uselocale((locale_t)0);
}

/// The handlers of all signals, by number.
static void (*noted_handlers[NSIG])(int);

static int handler_of(int number, void (**handler)(int)) {
  // The C library keeps two signals for itself, and refuses to tell about them.
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0) return 0;
  *handler = action.sa_handler;
  return 1;
}

void module_signals_note(void) {
  for (int number = 1; number < NSIG; number++) handler_of(number, &noted_handlers[number]);
}

int module_signals_changed(char *name, size_t capacity) {
  for (int number = 1; number < NSIG; number++) {
    void (*handler)(int);
    if (!handler_of(number, &handler) || handler == noted_handlers[number]) continue;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
    const char *known = sigabbrev_np(number);
    if (known) {
      snprintf(name, capacity, "SIG%s", known);
      return number;
    }
#endif
    snprintf(name, capacity, "signal %d", number);
    return number;
  }
  return 0;
}

static int entry_count(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return -errno;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

int module_thread_count(void) { return entry_count("/proc/self/task"); }

int module_descriptor_count(void) { return entry_count("/proc/self/fd"); }
