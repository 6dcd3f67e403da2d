#define _GNU_SOURCE
#include "CModuleProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Above the numbers that the child's descriptors get, so that none is overwritten before it is duplicated.
static int raised(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

int module_spawn(
    const char *program, char *const argv[], char *const envp[], int channel, int lifeline, int control, int quiet, pid_t *pid) {
  const int raw[3] = {channel, lifeline, control};
  const int target[3] = {MODULE_CHANNEL, MODULE_LIFELINE, MODULE_CONTROL};
  int high[3] = {-1, -1, -1}, result = 0;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (quiet) posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, 2, 1);
  for (int i = 0; i < 3 && result == 0; i++) {
    high[i] = raised(raw[i]);
    if (high[i] < 0) result = -errno;
    else posix_spawn_file_actions_adddup2(&files, high[i], target[i]);
  }
#if defined(__GLIBC__)
  posix_spawn_file_actions_addclosefrom_np(&files, MODULE_CONTROL + 1);
#endif
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  // A program that was just written is busy as long as a process that another thread is starting has it open: a moment.
  for (int tries = 0; result == 0; tries++) {
    result = -posix_spawn(pid, program, &files, &attributes, argv, envp);
    if (result != -ETXTBSY || tries == 200) break;
    result = 0;
    usleep(1000);
  }
  for (int i = 0; i < 3; i++)
    if (high[i] >= 0) close(high[i]);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return result;
}

enum { OWN_PROCESSES = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS };

// The first process of a process namespace sees its own numbers in /proc, not those of the outside: libdispatch looks its
// threads up there, and aborts where it does not find them.
static int mount_processes(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 0;
  return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

// Containers that cover parts of /proc allow no other one. A namespace cannot be left again, so two children try it.
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
  if (can_have_own_processes() && unshare(OWN_PROCESSES) == 0) return MODULE_WALL_NETWORK | MODULE_WALL_PROCESSES;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0) return MODULE_WALL_NETWORK;
  return 0;
}

static pid_t start_worker(char *const argv[], int walls) {
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
  // In a process namespace of its own a worker sees no parent; elsewhere it may have died in between.
  if (!(walls & MODULE_WALL_PROCESSES) && getppid() != parent) _exit(127);
  if (walls & MODULE_WALL_PROCESSES && !mount_processes()) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  close(MODULE_LIFELINE);
  execv("/proc/self/exe", list);
  _exit(127);
}

void module_supervise(char *const argv[]) {
  prctl(PR_SET_NAME, "compositor-wall");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, NULL);
  const int ended = signalfd(-1, &children, SFD_CLOEXEC);
  const pid_t worker = start_worker(argv, unshared());
  close(MODULE_CHANNEL);
  close(MODULE_CONTROL);
  struct module_ending ending = {0};
  int is_over = worker < 0 || ended < 0;
  while (!is_over) {
    struct pollfd waits[2] = {{ended, POLLIN, 0}, {MODULE_LIFELINE, POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR) break;
    // Nothing is ever sent this way: the host has let go.
    if (waits[1].revents) kill(worker, SIGKILL);
    if (waits[0].revents) {
      struct signalfd_siginfo info;
      if (read(ended, &info, sizeof info) < 0) break;
    }
    for (;;) {
      struct rusage usage;
      int status;
      const pid_t pid = wait4(-1, &status, waits[1].revents ? 0 : WNOHANG, &usage);
      if (pid <= 0) break;
      if (pid != worker) continue;
      ending.wait_status = status;
      ending.peak_kibibytes = usage.ru_maxrss;
      is_over = 1;
      break;
    }
  }
  // What the worker started is ours now, where nothing kept it from that and it has no namespace that died with it.
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
  send(MODULE_LIFELINE, &ending, sizeof ending, MSG_NOSIGNAL);
  _exit(0);
}
