#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <link.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

// MARK: Privileges

static int drop_privileges(void) {
  // Dropping needs a capability itself; without it there is nothing to drop.
  for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  if (syscall(SYS_capset, &header, data) != 0 || syscall(SYS_capget, &header, data) != 0) return 0;
  return data[0].permitted || data[1].permitted ? 0 : MODULE_WALL_PRIVILEGES;
}

// MARK: Files (Landlock). Numbers of the kernel's interface, because its header may be older than the kernel.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
enum { READ_ONLY_FILE = 1 << 0 | 1 << 2, READ_ONLY_FOLDER = 1 << 0 | 1 << 2 | 1 << 3 }; // execute, read; list
struct ruleset { uint64_t files, network, scope; };
struct __attribute__((packed)) beneath { uint64_t allowed; int32_t parent; };

enum kind { ANYTHING, FILE_ONLY, FOLDER_ONLY };

// Allows a path of the system, with links followed, or of the plugin, if it is of the expected kind.
static void allow_reading(int set, const char *path, enum kind kind) {
  const int place = open(path, O_PATH | O_CLOEXEC | (kind == ANYTHING ? 0 : O_NOFOLLOW));
  struct stat state;
  if (place < 0) return;
  if (fstat(place, &state) == 0 &&
      (kind == ANYTHING || (kind == FILE_ONLY ? S_ISREG(state.st_mode) : S_ISDIR(state.st_mode)))) {
    const struct beneath rule = {S_ISDIR(state.st_mode) ? READ_ONLY_FOLDER : READ_ONLY_FILE, place};
    syscall(SYS_landlock_add_rule, set, 1, &rule, 0);
  }
  close(place);
}

// Allows the folder of a library loaded by this program: a toolchain's may be anywhere, and more of it may be loaded later.
static int allow_library(struct dl_phdr_info *info, size_t size, void *set) {
  (void)size;
  char folder[4096];
  const char *end = strrchr(info->dlpi_name, '/');
  const size_t length = end ? (size_t)(end - info->dlpi_name) : 0;
  if (length == 0 || length >= sizeof folder) return 0;
  memcpy(folder, info->dlpi_name, length);
  folder[length] = 0;
  allow_reading(*(const int *)set, folder, ANYTHING);
  return 0;
}

// Everything that a version of Landlock can deny: 13 rights in the first version, then moving, truncating, TCP, device calls, and signals to and
// abstract sockets of other processes.
static struct ruleset denied_rights(long version) {
  const uint64_t files = version == 1 ? (1 << 13) - 1 : version == 2 ? (1 << 14) - 1 : version <= 4 ? (1 << 15) - 1 : (1 << 16) - 1;
  return (struct ruleset){files, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
}

static int confine_files(
    const char *const *system, int system_count, const char *const *own, int own_count, const char *own_folder) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) return 0;
  const struct ruleset rules = denied_rights(version);
  const size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  const int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (set < 0) return 0;
  int place = set;
  dl_iterate_phdr(allow_library, &place);
  for (int i = 0; i < system_count; i++) allow_reading(set, system[i], ANYTHING);
  for (int i = 0; i < own_count; i++) allow_reading(set, own[i], FILE_ONLY);
  if (own_folder) allow_reading(set, own_folder, FOLDER_ONLY);
  const long done = syscall(SYS_landlock_restrict_self, set, 0);
  close(set);
  // It applies to the calling thread and the threads that it starts.
  if (done != 0 || module_thread_count() != 1) return 0;
  return MODULE_WALL_FILES | (version >= 6 ? MODULE_WALL_SIGNALS : 0);
}

int module_worker_confine(
    const char *const *system, int system_count, const char *const *own, int own_count, const char *folder) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  int denied = drop_privileges();
  denied |= confine_files(system, system_count, own, own_count, folder);
  denied |= module_confine_calls();
  if (denied & MODULE_WALL_CALLS) denied |= MODULE_WALL_SIGNALS | MODULE_WALL_SOCKETS | MODULE_WALL_KEYS;
  return denied;
}
