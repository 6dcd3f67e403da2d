#define _GNU_SOURCE
#include "usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The most processes of a plugin that are counted. A worker whose calls are filtered has no other process at all.
enum { MOST_PROCESSES = 256, PATH_LENGTH = 64 };

static ssize_t read_text(int processes, const char *path, char *text, size_t capacity) {
  const int file = openat(processes, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t count = read(file, text, capacity - 1);
  close(file);
  text[count < 0 ? 0 : count] = 0;
  return count;
}

// What a process's or a thread's status says; memory is in KiB. Without VmPTE, -1, it has no memory.
struct status { int64_t anonymous, shared, swapped, huge, page_tables, threads, filters; };

// Reads a status to its end: the groups, which precede most fields, are as many as 65536.
static bool read_status(int processes, const char *path, struct status *status) {
  const int descriptor = openat(processes, path, O_RDONLY | O_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "re");
  if (!file) {
    if (descriptor >= 0) close(descriptor);
    return false;
  }
  *status = (struct status){.page_tables = -1};
  const struct { const char *name; int64_t *value; } fields[] = {
    {"RssAnon:", &status->anonymous}, {"RssShmem:", &status->shared}, {"VmSwap:", &status->swapped}, {"HugetlbPages:", &status->huge},
    {"VmPTE:", &status->page_tables}, {"Threads:", &status->threads}, {"Seccomp_filters:", &status->filters}};
  char line[256];
  bool is_start = true, is_empty = true;
  while (fgets(line, sizeof line, file)) {
    for (size_t i = 0; is_start && i < sizeof fields / sizeof *fields; i++) {
      const size_t length = strlen(fields[i].name);
      if (!strncmp(line, fields[i].name, length)) *fields[i].value = strtoll(line + length, NULL, 10);
    }
    is_start = strchr(line, '\n') != NULL;
    is_empty = false;
  }
  fclose(file);
  return !is_empty;
}

static bool has_memory(const struct status *status) { return status->page_tables >= 0; }

// The folder of a process's threads; NULL if it is gone.
static DIR *threads_of(int processes, pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "%d/task", pid);
  const int place = openat(processes, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = place < 0 ? NULL : fdopendir(place);
  if (!folder && place >= 0) close(place);
  return folder;
}

// The status of a thread that still has memory, and its path, after the first thread has ended: the kernel shows the memory of a process with its first
// thread.
static bool read_other_thread(int processes, pid_t pid, char path[PATH_LENGTH], struct status *status) {
  DIR *folder = threads_of(processes, pid);
  if (!folder) return false;
  bool is_found = false;
  for (struct dirent *entry; !is_found && (entry = readdir(folder));) {
    const long thread = strtol(entry->d_name, NULL, 10);
    if (thread <= 0 || thread == pid) continue;
    snprintf(path, PATH_LENGTH, "%d/task/%ld/status", pid, thread);
    is_found = read_status(processes, path, status) && has_memory(status);
  }
  closedir(folder);
  return is_found;
}

// What is certain to count, whatever the process's shared memory is.
static int64_t own_memory(const struct status *status) {
  return status->anonymous + status->swapped + status->huge + status->page_tables;
}

// Whether a line of maps or smaps begins a mapping of shared memory that is no frame; frames belong to the host. `length` receives its length in KiB.
static bool is_own_sharing(const char *line, int64_t *length) {
  const char *access = strchr(line, ' ');
  if (!access || strlen(access) < 5 || access[4] != 's') return false;
  unsigned long start, end, device_major, device_minor;
  if (sscanf(line, "%lx-%lx %*s %*x %lx:%lx", &start, &end, &device_major, &device_minor) != 4) return false;
  *length = (int64_t)((end - start) >> 10);
  // Shared memory is on a device without a number, and its name is that of no file that exists.
  return device_major == 0 && !strstr(line, "/memfd:compositor-frame") &&
         (strstr(line, "/memfd:") || strstr(line, "/dev/zero") || strstr(line, "/SYSV") || strstr(line, " (deleted)"));
}

// KiB of shared memory that are not frames: of address space, by maps, or resident, by smaps, which takes much longer. A process can have so many
// mappings that it fills its memory while they are read, so its status is read again meanwhile; this ends early if the status alone is above the limit.
static int64_t own_shared_memory(int processes, pid_t pid, const char *list, const char *status_path, int64_t limit, struct status *status) {
  enum { LINES_BETWEEN_CHECKS = 1024 };
  char path[64], line[512];
  snprintf(path, sizeof path, "%d/%s", pid, list);
  const int descriptor = openat(processes, path, O_RDONLY | O_CLOEXEC);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "re");
  if (!file) {
    if (descriptor >= 0) close(descriptor);
    return 0;
  }
  const bool has_sizes = !strcmp(list, "smaps");
  int64_t sum = 0, length = 0;
  bool is_start = true, counts = false;
  for (int count = 1; fgets(line, sizeof line, file); count++) {
    // Addresses have small letters, fields begin with capitals. A path can be longer than the line.
    const bool is_mapping = is_start && (line[0] < 'A' || line[0] > 'Z');
    if (is_mapping) counts = is_own_sharing(line, &length);
    if (is_mapping && counts && !has_sizes) sum += length;
    if (is_start && !is_mapping && counts && !strncmp(line, "Rss:", 4)) sum += strtoll(line + 4, NULL, 10);
    is_start = strchr(line, '\n') != NULL;
    if (count % LINES_BETWEEN_CHECKS == 0 && read_status(processes, status_path, status) && own_memory(status) > limit) break;
  }
  fclose(file);
  // What it took meanwhile counts.
  read_status(processes, status_path, status);
  return sum;
}

// Adds the children of all threads of a process to a list.
static int add_children(int processes, pid_t pid, pid_t *list, int count) {
  char path[64], text[4096];
  DIR *folder = threads_of(processes, pid);
  if (!folder) return count;
  for (struct dirent *entry; (entry = readdir(folder));) {
    const long thread = strtol(entry->d_name, NULL, 10);
    if (thread <= 0) continue;
    snprintf(path, sizeof path, "%d/task/%ld/children", pid, thread);
    if (read_text(processes, path, text, sizeof text) <= 0) continue;
    for (char *next = text; count < MOST_PROCESSES;) {
      const long child = strtol(next, &next, 10);
      if (child <= 0) break;
      list[count++] = (pid_t)child;
    }
  }
  closedir(folder);
  return count;
}

static bool add_process(int processes, pid_t pid, int64_t limit, struct status *status, struct wall_usage *usage) {
  char path[PATH_LENGTH];
  snprintf(path, sizeof path, "%d/status", pid);
  if (!read_status(processes, path, status)) return false;
  usage->threads += status->threads;
  if (!has_memory(status)) {
    // The last thread of a process that is ending has no memory, either.
    if (!read_other_thread(processes, pid, path, status)) return true;
    usage->has_lost_first = true;
  }
  // Most of the shared memory is frames. Which part is not takes long to find, and only matters if it could be too much: first by the sizes of mappings.
  static const char *const lists[] = {"maps", "smaps"};
  int64_t counted = 0, possible = status->shared;
  for (int i = 0; i < 2 && own_memory(status) <= limit && own_memory(status) + possible > limit; i++) {
    possible = own_shared_memory(processes, pid, lists[i], path, limit, status);
    if (i == 1) counted = possible;
  }
  usage->memory += own_memory(status) + counted;
  usage->possible += own_memory(status) + possible;
  return true;
}

bool wall_usage_read(int processes, pid_t pid, int64_t limit, struct wall_usage *usage) {
  static int64_t own_filters = -1;
  struct status status;
  if (own_filters < 0) {
    char path[32];
    snprintf(path, sizeof path, "%d/status", getpid());
    own_filters = read_status(processes, path, &status) ? status.filters : 0;
  }
  pid_t list[MOST_PROCESSES] = {pid};
  int count = 1;
  *usage = (struct wall_usage){0};
  if (!add_process(processes, pid, limit, &status, usage)) return false;
  // A worker behind its own filter cannot start processes. Those of other workers are their descendants, or this process's once their parent ended.
  if (status.filters > own_filters) return true;
  count = add_children(processes, getpid(), list, count);
  for (int i = 0; i < count; i++) {
    if (i > 0 && list[i] == pid) continue;
    if (i > 0) add_process(processes, list[i], limit - usage->memory, &status, usage);
    count = add_children(processes, list[i], list, count);
  }
  return true;
}
