#define _GNU_SOURCE
#include "CPluginProcess.h"
#include "usage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_PROCESSES = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS };

// The first process in a PID namespace sees its own IDs in /proc only after this mount. libdispatch looks up its threads there, and aborts if it does
// not find them.
static int mount_processes(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 0;
  // Terminals are files that belong to the user. A system without them has nothing to cover.
  (void)!mount("none", "/dev/pts", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "size=4k,mode=0555");
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

// Whether a worker can have a PID namespace: containers that mask parts of /proc don't allow another mount of it. A process cannot leave a namespace
// again, so a child and its child try this.
static int can_have_own_processes(void) {
  int status = 0;
  const pid_t pid = fork();
  if (pid == 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) _exit(1);
    const pid_t first = fork();
    if (first == 0) _exit(mount_processes() ? 0 : 1);
    if (first < 0 || waitpid(first, &status, 0) != first) _exit(1);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int unshared(void) {
  if (can_have_own_processes() && unshare(OWN_PROCESSES) == 0)
    return MODULE_WALL_NETWORK | MODULE_WALL_PROCESSES | MODULE_WALL_SIGNALS | MODULE_WALL_PROCESS_LIST;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0) return MODULE_WALL_NETWORK;
  return 0;
}

// Closes everything that the supervisor has opened for itself.
static void close_others(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  const long limit = sysconf(_SC_OPEN_MAX);
  for (int number = first; number < (limit > 0 && limit < 65536 ? limit : 65536); number++) close(number);
}

// Starts the worker as a copy of this process, which has loaded everything that a worker needs and shares its memory with it. Returns 0 in the worker.
// A library that has started threads, which a copy does not have, makes it load everything again: argv, with the bits of the restrictions appended.
static pid_t start_worker(char *const argv[], int walls, int messages) {
  char *list[32], bits[16];
  int count = 0;
  while (argv[count] && count < 30) { list[count] = argv[count]; count++; }
  snprintf(bits, sizeof bits, "%d", walls);
  list[count++] = bits;
  list[count] = NULL;
  const bool is_copied = module_thread_count() == 1;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // In a PID namespace of its own, a worker cannot see its parent. Otherwise, exit if the parent died before the call of prctl.
  if (!(walls & MODULE_WALL_PROCESSES) && getppid() != parent) _exit(127);
  if (walls & MODULE_WALL_PROCESSES && !mount_processes()) _exit(127);
  setsid();
  if (dup2(messages, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  close(MODULE_LIFELINE);
  if (is_copied) {
    signal(SIGPIPE, SIG_DFL);
    close_others(MODULE_SHOWN);
    return 0;
  }
  execv("/proc/self/exe", list);
  _exit(127);
}

// ---- Watching

struct watch {
  pid_t worker;
  int ended;    // a signalfd that reports exits of children
  int messages; // a pipe from the worker's standard output and standard error
  int processes; // the system's /proc
  int first_lost; // how many times in a row the worker's first thread was found ended
  int pause;    // milliseconds until the limits are checked again
  struct module_limits limits;
  struct module_messages text;
  struct module_ending ending;
};

// The most KiB that a worker takes in a millisecond: what fresh page tables cost on two fast processors.
enum { FASTEST_GROWTH = 8 << 10, LONGEST_PAUSE = 100, SHORTEST_PAUSE = 2 };

// Kills a worker that exceeds its limits. Its memory is checked more often as it comes closer to the limit, so that it cannot take much more between
// two checks.
static void check_limits(struct watch *watch) {
  const int64_t limit = (int64_t)(watch->limits.memory >> 10);
  struct module_usage usage;
  if (watch->ending.excess || !module_usage_read(watch->processes, watch->worker, limit, &usage)) return;
  const int64_t pause = (limit - usage.memory) / FASTEST_GROWTH;
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
    module_messages_take(&watch->text, bytes, (size_t)count, false, STDERR_FILENO);
    // All writers have closed the pipe, so there is nothing more to wait for.
    if (count == 0) watch->messages = -1;
  }
  if (is_end) module_messages_take(&watch->text, NULL, 0, true, STDERR_FILENO);
}

// Reaps children that have exited. Returns whether the worker is one of them; if `waits` is true, waits for it.
static int reap(struct watch *watch, int waits) {
  for (;;) {
    struct rusage usage;
    int status;
    const pid_t pid = wait4(-1, &status, waits ? 0 : WNOHANG, &usage);
    if (pid <= 0) return 0;
    if (pid != watch->worker) continue;
    watch->ending.wait_status = status;
    watch->ending.peak_kibibytes = usage.ru_maxrss;
    return 1;
  }
}

static void watch_worker(struct watch *watch) {
  for (bool is_over = false; !is_over;) {
    struct pollfd waits[3] = {{watch->ended, POLLIN, 0}, {MODULE_LIFELINE, POLLIN, 0}, {watch->messages, POLLIN, 0}};
    const int count = poll(waits, 3, watch->pause);
    if (count < 0 && errno != EINTR) break;
    // The host never sends anything on the lifeline, so an event means that the host has closed its end.
    if (count > 0 && waits[1].revents) kill(watch->worker, SIGKILL);
    if (count > 0 && waits[0].revents) {
      struct signalfd_siginfo info;
      if (read(watch->ended, &info, sizeof info) < 0 && errno != EAGAIN) break;
    }
    if (count > 0 && waits[2].revents) copy_messages(watch, false);
    check_limits(watch);
    is_over = reap(watch, count > 0 && waits[1].revents);
  }
  copy_messages(watch, true);
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
static struct module_shown *shown_messages(void) {
  static struct module_shown own;
  void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, MODULE_SHOWN, 0);
  close(MODULE_SHOWN);
  return shared == MAP_FAILED ? &own : shared;
}

int module_supervise(char *const argv[], const char *name, struct module_limits limits) {
  prctl(PR_SET_NAME, "compositor-wall");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, NULL);
  // The worker will mount its own /proc over this one, and that one doesn't contain the worker under the ID used here.
  const int processes = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int pipe[2];
  struct watch watch = {.limits = limits, .processes = processes, .pause = SHORTEST_PAUSE, .ended = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)};
  struct module_shown *shown = shown_messages();
  module_messages_start(&watch.text, name, shown);
  if (watch.ended >= 0 && pipe2(pipe, O_CLOEXEC) == 0) {
    watch.messages = pipe[0];
    fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    const int walls = unshared();
    // A copy must not have the memory that counts messages.
    if ((uintptr_t)shown % (uintptr_t)sysconf(_SC_PAGESIZE) == 0) madvise(shown, sizeof *shown, MADV_DONTFORK);
    watch.worker = start_worker(argv, walls, pipe[1]);
    if (watch.worker == 0) return walls;
    close(pipe[1]);
    close(MODULE_CHANNEL);
    close(MODULE_CONTROL);
    if (watch.worker > 0) {
      watch_worker(&watch);
      end_descendants();
    }
  }
  send(MODULE_LIFELINE, &watch.ending, sizeof watch.ending, MSG_NOSIGNAL);
  _exit(0);
}
