#define _GNU_SOURCE
#include "CPluginSupervisor.h"
#include "sockets.h"
#include "start.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OWN_PROCESSES = CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS };

// The first process in a PID namespace sees its own IDs in /proc only after this mount. libdispatch looks up its threads there, and aborts if it does
// not find them.
static int mount_processes(void) {
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return 0;
  // Terminals are files that belong to the user; a container may have one as its console. A system without them has nothing to cover.
  (void)!mount("none", "/dev/pts", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "size=4k,mode=0555");
  (void)!mount("/dev/null", "/dev/console", NULL, MS_BIND, NULL);
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

int wall_unshare(void) {
  // A new, empty keyring takes the place of that of the user's session, and the user's own is another one in a user namespace. Keys whose number is known
  // or guessed are read nevertheless, so only a kernel without keyrings, or a container's filter that denies this call, denies keys here.
  const bool has_left = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0;
  const int walls = !has_left && (errno == ENOSYS || errno == EPERM) ? MODULE_WALL_KEYS : 0, own = walls | MODULE_WALL_NETWORK;
  wall_sockets_note();
  if (can_have_own_processes() && unshare(OWN_PROCESSES) == 0)
    return own | MODULE_WALL_PROCESSES | MODULE_WALL_SIGNALS | MODULE_WALL_PROCESS_LIST;
  return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0 ? own : walls;
}

// Closes everything that the supervisor has opened for itself.
static void close_others(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  const long limit = sysconf(_SC_OPEN_MAX);
  for (int number = first; number < (limit > 0 && limit < 65536 ? limit : 65536); number++) close(number);
}

static int own_thread_count(void) {
  DIR *folder = opendir("/proc/self/task");
  int count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) count += entry->d_name[0] != '.';
  if (folder) closedir(folder);
  return count;
}

static void start_program(char *const arguments[], int walls) {
  char bits[16];
  snprintf(bits, sizeof bits, "%d", walls);
  char *list[] = {arguments[PROGRAM], arguments[COMMAND], "work", arguments[INTERFACE], bits, NULL};
  fcntl(MODULE_PROGRAM, F_SETFD, FD_CLOEXEC);
  fexecve(MODULE_PROGRAM, list, environ);
}

// Starts the worker. A copy shares the memory of this process, which has loaded everything that a worker needs; 0 is returned there. It lacks the threads
// of this process, so that a library which has started some makes it load everything again.
pid_t wall_start_worker(char *const arguments[], bool can_copy, int walls, int messages, const struct group *group) {
  const bool is_copied = can_copy && own_thread_count() == 1;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  wall_group_enter(group);
  // In a PID namespace of its own, a worker cannot see its parent. Otherwise, exit if the parent died before the call of prctl.
  if (!(walls & MODULE_WALL_PROCESSES) && getppid() != parent) _exit(127);
  if (walls & MODULE_WALL_PROCESSES && !mount_processes()) _exit(127);
  if (walls & MODULE_WALL_PROCESSES) wall_sockets_cover();
  setsid();
  if (dup2(messages, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  close(MODULE_LIFELINE);
  if (!is_copied) {
    start_program(arguments, walls);
    _exit(127);
  }
  for (int number = MODULE_SHOWN; number < MODULE_DENIALS; number++) close(number);
  close_others(MODULE_DENIALS + 1);
  return 0;
}
