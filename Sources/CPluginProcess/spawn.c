#define _GNU_SOURCE
#include "CPluginProcess.h"

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

// Duplicates a descriptor to a number above those that the child uses, so that no descriptor is overwritten before it is duplicated.
static int raised(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

int module_program_open(const char *path) {
  const int descriptor = open(path, O_PATH | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int module_spawn(char *const argv[], char *const envp[], const int descriptors[], bool quiet, pid_t *pid) {
  int high[MODULE_SPAWN_COUNT], result = 0;
  for (int i = 0; i < MODULE_SPAWN_COUNT; i++) high[i] = -1;
  char program[32];
  snprintf(program, sizeof program, "/proc/self/fd/%d", MODULE_SUPERVISOR);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (quiet) posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, 2, 1);
  for (int i = 0; i < MODULE_SPAWN_COUNT && result == 0; i++) {
    high[i] = raised(descriptors[i]);
    if (high[i] < 0) result = -errno;
    else posix_spawn_file_actions_adddup2(&files, high[i], MODULE_CHANNEL + i);
  }
#if defined(__GLIBC__)
  posix_spawn_file_actions_addclosefrom_np(&files, MODULE_CHANNEL + MODULE_SPAWN_COUNT);
#endif
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // In a new session, the child has no controlling terminal, even if one of its descriptors is a terminal.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  // A program file that was just written can be busy for a moment, because a child that another thread is starting still has it open for writing.
  for (int tries = 0; result == 0; tries++) {
    result = -posix_spawn(pid, program, &files, &attributes, argv, envp);
    if (result != -ETXTBSY || tries == 200) break;
    result = 0;
    usleep(1000);
  }
  for (int i = 0; i < MODULE_SPAWN_COUNT; i++)
    if (high[i] >= 0) close(high[i]);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return result;
}
