// Ending a supervisor that does not respond, and all that it watched.
#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROUNDS = 50, ROUND = 2000 }; // microseconds

static bool read_line(const char *path, char *text, size_t capacity) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text, capacity - 1);
  if (file >= 0) close(file);
  text[count < 0 ? 0 : count] = 0;
  return count > 0;
}

// Whether a process can still run.
static bool is_alive(long pid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  const char *end = read_line(path, text, sizeof text) ? strrchr(text, ')') : NULL;
  return end && end[1] == ' ' && end[2] != 'Z' && end[2] != 'X';
}

// Kills the children of a thread. Returns how many of them could still run.
static int kill_children(pid_t pid, const char *thread) {
  char path[64], list[4096];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", pid, thread);
  if (!read_line(path, list, sizeof list)) return 0;
  for (char *next = list;;) {
    const long child = strtol(next, &next, 10);
    if (child <= 1) return count;
    if (!is_alive(child)) continue;
    kill((pid_t)child, SIGKILL);
    count++;
  }
}

void module_end_supervisor(pid_t pid) {
  // From now on it starts nothing. It stays the parent of its worker and, as soon as that is gone, of what the worker has started.
  kill(pid, SIGSTOP);
  for (int round = 0, count = 1; round < MOST_ROUNDS && count > 0; round++) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *threads = opendir(path);
    count = 0;
    for (struct dirent *entry; threads && (entry = readdir(threads));)
      if (entry->d_name[0] != '.') count += kill_children(pid, entry->d_name);
    if (threads) closedir(threads);
    if (count > 0) usleep(ROUND);
  }
  kill(pid, SIGKILL);
}
