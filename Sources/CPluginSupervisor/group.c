#define _GNU_SOURCE
#include "group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"
// The group of the tool beside those of workers: a group with limits for others must have no processes itself.
#define OWN "compositor-tool"

enum { MOST_TEXT = 1 << 16 };

static bool read_file(int folder, const char *name, char *text, size_t capacity) {
  const int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text, capacity - 1);
  if (file >= 0) close(file);
  text[count < 0 ? 0 : count] = 0;
  return count >= 0;
}

static bool write_file(int folder, const char *name, const char *text) {
  const int file = openat(folder, name, O_WRONLY | O_CLOEXEC);
  const bool is_written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  if (file >= 0) close(file);
  return is_written;
}

static bool write_number(int folder, const char *name, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  return write_file(folder, name, text);
}

// The folder of this process's group, or of that above it if it is the tool's beside workers; -1 if there is none.
static int own_group(void) {
  char text[4096], path[4096 + sizeof ROOT];
  struct statfs system;
  if (statfs(ROOT, &system) != 0 || system.f_type != CGROUP2_SUPER_MAGIC || !read_file(AT_FDCWD, "/proc/self/cgroup", text, sizeof text))
    return -1;
  char *line = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
  if (!line) return -1;
  line = strstr(line, "0::") + 3;
  line[strcspn(line, "\n")] = 0;
  // Groups outside the namespace have such paths.
  if (strstr(line, "..")) return -1;
  char *last = strrchr(line, '/');
  if (last && !strcmp(last + 1, OWN)) *last = 0;
  snprintf(path, sizeof path, ROOT "%s", line);
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool has_mark(int folder, const char *name) {
  char value[4] = "";
  return fgetxattr(folder, name, value, sizeof value - 1) > 0 && value[0] == '1';
}

// Whether the system has left the group to its processes. systemd marks such groups. Without it, a group that belongs to this user, in one that does not,
// was given away by another; groups further below belong to the program that manages the user's own.
static bool is_lent(int folder) {
  struct stat state, above;
  if (faccessat(folder, "cgroup.procs", W_OK, AT_EACCESS) != 0 || faccessat(folder, ".", W_OK, AT_EACCESS) != 0) return false;
  if (fstat(folder, &state) == 0 && fstatat(folder, "..", &above, 0) == 0 && state.st_uid != 0 && state.st_uid == geteuid() &&
      above.st_uid != state.st_uid)
    return true;
  return has_mark(folder, "user.delegate") || has_mark(folder, "trusted.delegate");
}

static bool has_controllers(int folder) {
  char text[256];
  return read_file(folder, "cgroup.subtree_control", text, sizeof text) && strstr(text, "memory") && strstr(text, "pids");
}

static pid_t parent_of(pid_t pid) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const char *end = read_file(AT_FDCWD, path, text, sizeof text) ? strrchr(text, ')') : NULL;
  int parent = 0;
  return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

// Moves the tool and its children out of the way, if the group has no other processes.
static bool move_tool(int folder) {
  static char text[MOST_TEXT];
  const pid_t tool = getppid();
  if (!read_file(folder, "cgroup.procs", text, sizeof text) || strlen(text) == sizeof text - 1) return false;
  for (int round = 0; round < 2; round++) {
    for (char *next = text; *next;) {
      const pid_t pid = (pid_t)strtol(next, &next, 10);
      while (*next == '\n') next++;
      if (round == 0 && pid != tool && parent_of(pid) != tool) return false;
      if (round == 1 && !write_number(folder, OWN "/cgroup.procs", (uint64_t)pid) && errno != ESRCH) return false;
    }
    if (round == 0 && mkdirat(folder, OWN, 0755) != 0 && errno != EEXIST) return false;
  }
  return true;
}

void wall_group_make(struct group *group, const struct wall_limits *limits) {
  *group = (struct group){.parent = own_group(), .members = -1};
  if (group->parent < 0 || !is_lent(group->parent)) return;
  // Supervisors of other workers do the same.
  flock(group->parent, LOCK_EX);
  const bool is_ready = has_controllers(group->parent) ||
                        (move_tool(group->parent) && write_file(group->parent, "cgroup.subtree_control", "+memory +pids"));
  flock(group->parent, LOCK_UN);
  snprintf(group->name, sizeof group->name, "compositor-worker-%d", getpid());
  if (!is_ready || mkdirat(group->parent, group->name, 0755) != 0) return;
  const int own = openat(group->parent, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Small frames that a worker is the first to touch count here, and so do files that it reads.
  const uint64_t room = limits->memory / 8 + (64 << 20);
  if (own >= 0 && write_number(own, "memory.max", limits->memory + room) && write_number(own, "pids.max", limits->threads + 8)) {
    write_file(own, "memory.oom.group", "1");
    group->members = openat(own, "cgroup.procs", O_WRONLY | O_CLOEXEC);
  }
  if (own >= 0) close(own);
  if (group->members < 0) wall_group_remove(group);
}

void wall_group_enter(const struct group *group) {
  if (group->members >= 0 && write(group->members, "0", 1) != 1) _exit(127);
}

static int64_t number_after(const char *text, const char *word) {
  const char *place = strstr(text, word);
  return place ? strtoll(place + strlen(word), NULL, 10) : 0;
}

int64_t wall_group_excess(const struct group *group, const struct wall_limits *limits) {
  char path[96], text[512];
  if (group->members < 0) return 0;
  snprintf(path, sizeof path, "%s/memory.events", group->name);
  if (!read_file(group->parent, path, text, sizeof text) || number_after(text, "oom_kill ") == 0) return 0;
  // Since Linux 5.19.
  snprintf(path, sizeof path, "%s/memory.peak", group->name);
  const int64_t peak = read_file(group->parent, path, text, sizeof text) ? strtoll(text, NULL, 10) : 0;
  return (peak > (int64_t)limits->memory ? peak : (int64_t)limits->memory) >> 10;
}

void wall_group_remove(const struct group *group) {
  // The last process may still be leaving.
  for (int tries = 0; group->parent >= 0 && *group->name && tries < 50; tries++) {
    if (unlinkat(group->parent, group->name, AT_REMOVEDIR) == 0 || errno != EBUSY) break;
    usleep(2000);
  }
}
