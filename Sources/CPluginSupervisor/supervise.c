#define _GNU_SOURCE
#include "CPluginSupervisor.h"
#include "denials.h"
#include "group.h"
#include "start.h"
#include "usage.h"
#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct watch {
  pid_t worker;
  int ended;    // a signalfd that reports exits of children
  int messages; // a pipe from the worker's standard output and standard error
  int processes; // the system's /proc
  int first_lost; // how many times in a row the worker's first thread was found ended
  int pause;    // milliseconds until the limits are checked again
  int64_t growth; // the most KiB that the worker takes in a millisecond
  struct wall_limits limits;
  struct wall_messages text;
  struct wall_ending ending;
  struct denials denials;
};

// The most KiB that threads on one fast processor take in a millisecond, as fresh page tables cost, and the number of processors that share the bandwidth of
// the machine's memory.
enum { GROWTH_OF_PROCESSOR = 4 << 10, MOST_PROCESSORS = 32, LONGEST_PAUSE = 100, SHORTEST_PAUSE = 2 };

static int64_t fastest_growth(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return GROWTH_OF_PROCESSOR * (count < 2 ? 2 : count > MOST_PROCESSORS ? MOST_PROCESSORS : (int64_t)count);
}

// Kills a worker that exceeds its limits. Its memory is checked more often as it comes closer to the limit, so that it cannot take much more between
// two checks.
static void check_limits(struct watch *watch) {
  const int64_t limit = (int64_t)(watch->limits.memory >> 10);
  struct wall_usage usage;
  if (watch->ending.excess || !wall_usage_read(watch->processes, watch->worker, limit, &usage)) return;
  const int64_t pause = (limit - usage.possible) / watch->growth;
  watch->pause = pause < SHORTEST_PAUSE ? SHORTEST_PAUSE : pause > LONGEST_PAUSE ? LONGEST_PAUSE : (int)pause;
  // The threads of a process that is ending end one after another; they need not be found so twice.
  watch->first_lost = usage.has_lost_first ? watch->first_lost + 1 : 0;
  if (watch->first_lost > 0) watch->pause = SHORTEST_PAUSE;
  if (usage.threads > (int64_t)watch->limits.threads) {
    watch->ending.excess = 1;
    watch->ending.amount = usage.threads;
  } else if (usage.memory > limit) {
    watch->ending.excess = 2;
    watch->ending.amount = usage.memory;
  } else if (watch->first_lost > 2) {
    watch->ending.excess = 3;
    watch->ending.amount = usage.threads;
  } else return;
  kill(watch->worker, SIGKILL);
}

// Copies a limited amount of the available messages, so that an exit of the worker is noticed even while messages keep coming.
static void copy_messages(struct watch *watch, bool is_end) {
  char bytes[4096];
  for (int turn = 0; turn < 64 && watch->messages >= 0; turn++) {
    const ssize_t count = read(watch->messages, bytes, sizeof bytes);
    if (count < 0) break;
    wall_messages_take(&watch->text, bytes, (size_t)count, false, STDERR_FILENO);
    // All writers have closed the pipe, so there is nothing more to wait for.
    if (count == 0) watch->messages = -1;
  }
  if (is_end) wall_messages_take(&watch->text, NULL, 0, true, STDERR_FILENO);
}

// Reaps children that have exited. Returns whether the worker is one of them; if `waits` is true, waits for it.
static bool reap(struct watch *watch, bool waits) {
  for (;;) {
    struct rusage usage;
    int status;
    const pid_t pid = wait4(-1, &status, waits ? 0 : WNOHANG, &usage);
    if (pid <= 0) return false;
    if (pid != watch->worker) continue;
    watch->ending.wait_status = status;
    watch->ending.peak_kibibytes = usage.ru_maxrss;
    return true;
  }
}

static void watch_worker(struct watch *watch) {
  for (bool is_over = false; !is_over;) {
    struct pollfd waits[4] = {{watch->ended, POLLIN, 0}, {MODULE_LIFELINE, POLLIN, 0}, {watch->messages, POLLIN, 0},
                              {wall_denials_descriptor(&watch->denials), POLLIN, 0}};
    const int count = poll(waits, 4, watch->pause);
    if (count < 0 && errno != EINTR) break;
    // The host never sends anything on the lifeline, so an event means that the host has closed its end.
    if (count > 0 && waits[1].revents) kill(watch->worker, SIGKILL);
    if (count > 0 && waits[0].revents) {
      struct signalfd_siginfo info;
      if (read(watch->ended, &info, sizeof info) < 0 && errno != EAGAIN) break;
    }
    if (count > 0 && waits[2].revents) copy_messages(watch, false);
    if (watch->denials.is_flooded || (count > 0 && waits[3].revents)) wall_denials_answer(&watch->denials);
    check_limits(watch);
    wall_writer_flush(STDERR_FILENO);
    is_over = reap(watch, count > 0 && waits[1].revents);
  }
  copy_messages(watch, true);
  wall_writer_finish(STDERR_FILENO);
}

// Kills the descendants of the worker. They are children of this process by now, unless the worker could not create any, or they died with its
// namespace.
static void end_descendants(void) {
  while (1) {
    char path[64], list[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *file = fopen(path, "re");
    if (!file) break;
    const char *line = fgets(list, sizeof list, file);
    fclose(file);
    if (!line || !*line) break;
    for (char *next = list; *next;) {
      const long pid = strtol(next, &next, 10);
      if (pid <= 1) break;
      kill((pid_t)pid, SIGKILL);
      while (*next == ' ' || *next == '\n') next++;
    }
    if (waitpid(-1, NULL, 0) < 0) break;
  }
}

// The memory that counts the messages of all workers of the plugin. The worker itself must not reach it.
static struct wall_shown *shown_messages(void) {
  static struct wall_shown own;
  void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, MODULE_SHOWN, 0);
  close(MODULE_SHOWN);
  return shared == MAP_FAILED ? &own : shared;
}

static void send_ending(const struct wall_ending *ending) { send(MODULE_LIFELINE, ending, sizeof *ending, MSG_NOSIGNAL); }

// Ends a supervisor that was started with other arguments than it knows.
static void check_arguments(int count, char *const arguments[]) {
  if (count > INTERFACE && atoi(arguments[INTERFACE]) == WALL_INTERFACE && count == ARGUMENT_COUNT) return;
  send_ending(&(struct wall_ending){.wait_status = WALL_OTHER_VERSION << 8});
  _exit(WALL_OTHER_VERSION);
}

// The shortest turn that the kernel gives, in nanoseconds.
enum { SHORTEST_TURN = 100 * 1000 };

// Asks for short turns on a processor, of which the next one comes soon even while others are busy. A worker takes memory meanwhile. Linux before 6.12 has
// turns of one length, and ignores this.
static void take_short_turns(void) {
  // The kernel's struct in its first size; the C library has none, or another one.
  struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; } turn = {.size = sizeof turn};
  if (syscall(SYS_sched_getattr, 0, &turn, sizeof turn, 0) != 0 || turn.policy != SCHED_OTHER) return;
  turn.runtime = SHORTEST_TURN;
  syscall(SYS_sched_setattr, 0, &turn, 0);
}

// Makes this process the parent of all descendants of the worker. Returns the signals of their exits, which are blocked, to be read from a descriptor.
static sigset_t become_supervisor(void) {
  prctl(PR_SET_NAME, "compositor-wall");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  close(MODULE_SUPERVISOR);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, NULL);
  return children;
}

// Starts the worker, watches it until it has exited, and notes how. Returns the bits of the restrictions in a worker that is a copy, and -1 here.
static int run_worker(struct watch *watch, char *const arguments[], bool can_copy, struct wall_shown *shown, const int pipe[2]) {
  watch->messages = pipe[0];
  fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  struct group group;
  wall_group_make(&group, &watch->limits);
  const int walls = wall_unshare() | (group.members >= 0 ? MODULE_WALL_GROUP : 0);
  // A copy must not have the memory that counts messages.
  if ((uintptr_t)shown % (uintptr_t)sysconf(_SC_PAGESIZE) == 0) madvise(shown, sizeof *shown, MADV_DONTFORK);
  watch->worker = wall_start_worker(arguments, can_copy, walls, pipe[1], &group);
  if (watch->worker == 0) return walls;
  // Not before: the worker would inherit it.
  take_short_turns();
  watch->denials.worker = watch->worker;
  close(pipe[1]);
  close(MODULE_CHANNEL);
  close(MODULE_CONTROL);
  close(MODULE_PROGRAM);
  wall_denials_close_other_end(&watch->denials);
  if (watch->worker > 0) {
    watch_worker(watch);
    end_descendants();
  }
  if (watch->ending.excess == 0) watch->ending.amount = wall_group_excess(&group, &watch->limits);
  if (watch->ending.excess == 0 && watch->ending.amount > 0) watch->ending.excess = 2;
  wall_group_remove(&group);
  return -1;
}

int wall_supervise(int count, char *const arguments[], bool can_copy) {
  check_arguments(count, arguments);
  const sigset_t children = become_supervisor();
  struct denials denials;
  wall_denials_start(&denials);
  struct watch watch = {
    .denials = denials,
    .limits = {strtoull(arguments[MEMORY], NULL, 10), strtoull(arguments[THREADS], NULL, 10)},
    // The worker will mount its own /proc over this one, and that one doesn't contain the worker under the ID used here.
    .processes = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC),
    .pause = SHORTEST_PAUSE,
    .growth = fastest_growth(),
    .ended = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)};
  struct wall_shown *shown = shown_messages();
  watch.denials.shown = shown;
  watch.denials.processes = watch.processes;
  wall_messages_start(&watch.text, arguments[NAME], shown);
  int pipe[2];
  if (watch.ended >= 0 && pipe2(pipe, O_CLOEXEC) == 0) {
    const int walls = run_worker(&watch, arguments, can_copy, shown, pipe);
    if (walls >= 0) return walls;
  }
  send_ending(&watch.ending);
  _exit(0);
}
