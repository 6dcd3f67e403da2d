#define _GNU_SOURCE
#include "CPluginProcess.h"

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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_PROCESSES = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS };

// The first process in a PID namespace sees its own IDs in /proc only after this mount. libdispatch looks up its threads there, and aborts if it does
// not find them.
static int mount_processes(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 0;
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

static pid_t start_worker(char *const argv[], int walls, int messages) {
  char *list[32], bits[16];
  int count = 0;
  while (argv[count] && count < 30) { list[count] = argv[count]; count++; }
  snprintf(bits, sizeof bits, "%d", walls);
  list[count++] = bits;
  list[count] = NULL;
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
  execv("/proc/self/exe", list);
  _exit(127);
}

// ---- Watching

struct watch {
  pid_t worker;
  int ended;    // a signalfd that reports exits of children
  int messages; // a pipe from the worker's standard output and standard error
  int status;   // /proc/PID/status of the worker, as seen from outside its namespace
  struct module_limits limits;
  struct module_messages text;
  struct module_ending ending;
};

static int64_t field(const char *status, const char *name) {
  const char *line = strstr(status, name);
  return line ? strtoll(line + strlen(name), NULL, 10) : 0;
}

// Kills a worker that exceeds its limits.
static void check_limits(struct watch *watch) {
  char text[4096];
  const ssize_t length = watch->status < 0 ? -1 : pread(watch->status, text, sizeof text - 1, 0);
  if (length <= 0 || watch->ending.excess) return;
  text[length] = 0;
  const int64_t threads = field(text, "\nThreads:"), memory = field(text, "\nRssAnon:") + field(text, "\nVmPTE:");
  if (threads > (int64_t)watch->limits.threads) {
    watch->ending.excess = 1;
    watch->ending.amount = threads;
  } else if (memory > (int64_t)(watch->limits.memory >> 10)) {
    watch->ending.excess = 2;
    watch->ending.amount = memory;
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
    const int count = poll(waits, 3, 100);
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

void module_supervise(char *const argv[], const char *name, struct module_limits limits) {
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
  struct watch watch = {.limits = limits, .status = -1, .ended = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)};
  module_messages_start(&watch.text, name, shown_messages());
  if (watch.ended >= 0 && pipe2(pipe, O_CLOEXEC) == 0) {
    watch.messages = pipe[0];
    fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    watch.worker = start_worker(argv, unshared(), pipe[1]);
    close(pipe[1]);
    close(MODULE_CHANNEL);
    close(MODULE_CONTROL);
    char path[32];
    snprintf(path, sizeof path, "%d/status", watch.worker);
    if (watch.worker > 0) {
      watch.status = openat(processes, path, O_RDONLY | O_CLOEXEC);
      watch_worker(&watch);
      end_descendants();
    }
  }
  send(MODULE_LIFELINE, &watch.ending, sizeof watch.ending, MSG_NOSIGNAL);
  _exit(0);
}
