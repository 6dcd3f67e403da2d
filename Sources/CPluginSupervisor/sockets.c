#define _GNU_SOURCE
#include "sockets.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

// Services have their sockets in a folder of /run, or in one for the user and the service.
enum { DEEPEST = 4 };

static int list = -1;

void wall_sockets_note(void) { list = open("/proc/net/unix", O_RDONLY | O_CLOEXEC); }

// A socket is found by the file that its name leads to, which is another one then. Where the file cannot be reached, the worker cannot reach it either.
static void cover(const char *path) {
  struct stat state;
  if (lstat(path, &state) == 0 && S_ISSOCK(state.st_mode)) (void)!mount("/dev/null", path, NULL, MS_BIND, NULL);
}

static void cover_listed(void) {
  FILE *file = list < 0 ? NULL : fdopen(list, "re");
  char line[512];
  while (file && fgets(line, sizeof line, file)) {
    // Seven numbers come first; sockets without a name have nothing else. Abstract names begin with @.
    int start = 0;
    sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %n", &start);
    line[strcspn(line, "\n")] = 0;
    if (start > 0 && line[start] == '/') cover(line + start);
  }
  if (file) fclose(file);
  list = -1;
}

// Links are not followed: what they lead to is found without them.
static void cover_folder(const char *path, int depth) {
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char name[PATH_MAX];
    const bool is_unknown = entry->d_type == DT_UNKNOWN, is_self = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (is_self || snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name) continue;
    if (entry->d_type == DT_SOCK || is_unknown) cover(name);
    if (entry->d_type == DT_DIR && depth < DEEPEST) cover_folder(name, depth + 1);
  }
  if (folder) closedir(folder);
}

void wall_sockets_cover(void) {
  cover_listed();
  cover_folder("/run", 1);
  struct stat state;
  // Most systems have a link to /run here.
  if (lstat("/var/run", &state) == 0 && S_ISDIR(state.st_mode)) cover_folder("/var/run", 1);
}
