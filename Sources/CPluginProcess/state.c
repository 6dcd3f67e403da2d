// What a plugin must leave as it found it, besides signals: the working folder, the mask of new files, the environment and timers.
#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

struct state {
  char folder[PATH_MAX];
  mode_t mask;
  uint64_t environment;
};
static struct state noted;

static uint64_t environment_hash(void) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char **variable = environ; variable && *variable; variable++)
    for (const char *byte = *variable;; byte++) {
      hash = (hash ^ (uint8_t)*byte) * 0x100000001b3u;
      if (!*byte) break;
    }
  return hash;
}

static void read_state(struct state *state) {
  memset(state, 0, sizeof *state);
  if (!getcwd(state->folder, sizeof state->folder)) state->folder[0] = 0;
  // The mask can only be read by setting it.
  state->mask = umask(0);
  umask(state->mask);
  state->environment = environment_hash();
}

static bool has_timer(void) {
  const int kinds[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct itimerval timer;
    if (getitimer(kinds[i], &timer) == 0 && (timer.it_value.tv_sec || timer.it_value.tv_usec)) return true;
  }
  return false;
}

void module_state_note(void) { read_state(&noted); }

enum module_state module_state_changed(void) {
  static struct state now;
  read_state(&now);
  if (strcmp(now.folder, noted.folder) != 0) return MODULE_STATE_FOLDER;
  if (now.mask != noted.mask) return MODULE_STATE_MASK;
  if (now.environment != noted.environment) return MODULE_STATE_ENVIRONMENT;
  return has_timer() ? MODULE_STATE_TIMER : MODULE_STATE_SAME;
}

int64_t module_worker_data(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  long pages = 0;
  const int count = fscanf(file, "%*d %*d %*d %*d %*d %ld", &pages);
  fclose(file);
  return count == 1 ? pages * sysconf(_SC_PAGESIZE) : 0;
}
