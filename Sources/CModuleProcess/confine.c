#define _GNU_SOURCE
#include "CModuleProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- Files: Landlock. Numbers as the kernel's interface has them; its header may be older than the kernel.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
enum { READ_ONLY_FILE = 1 << 0 | 1 << 2, READ_ONLY_FOLDER = 1 << 0 | 1 << 2 | 1 << 3 }; // execute, read; list
struct ruleset { uint64_t handled; };
struct __attribute__((packed)) beneath { uint64_t allowed; int32_t parent; };

static void allow_reading(int set, const char *path) {
  const int place = open(path, O_PATH | O_CLOEXEC);
  struct stat state;
  if (place < 0) return;
  if (fstat(place, &state) == 0) {
    const struct beneath rule = {S_ISDIR(state.st_mode) ? READ_ONLY_FOLDER : READ_ONLY_FILE, place};
    syscall(SYS_landlock_add_rule, set, 1, &rule, 0);
  }
  close(place);
}

// The folder of a library that this program has loaded: a toolchain's may stand anywhere, and more of it may be wanted later.
static int allow_library(struct dl_phdr_info *info, size_t size, void *set) {
  (void)size;
  char folder[4096];
  const char *end = strrchr(info->dlpi_name, '/');
  const size_t length = end ? (size_t)(end - info->dlpi_name) : 0;
  if (length == 0 || length >= sizeof folder) return 0;
  memcpy(folder, info->dlpi_name, length);
  folder[length] = 0;
  allow_reading(*(const int *)set, folder);
  return 0;
}

static int confine_files(const char *const *readable, int count) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) return 0;
  // Everything that this version can deny: 13 rights in the first, then moving, then cutting.
  const struct ruleset rules = {version == 1 ? (1 << 13) - 1 : version == 2 ? (1 << 14) - 1 : (1 << 15) - 1};
  const int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (set < 0) return 0;
  int place = set;
  dl_iterate_phdr(allow_library, &place);
  for (int i = 0; i < count; i++) allow_reading(set, readable[i]);
  const long done = syscall(SYS_landlock_restrict_self, set, 0);
  close(set);
  return done == 0 ? MODULE_WALL_FILES : 0;
}

// ---- Calls: seccomp.
#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define ON(number, value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), RETURN(value)
#define DENY (SECCOMP_RET_ERRNO | EPERM)
#define KILL SECCOMP_RET_KILL_PROCESS
// A call about this process is welcome, which is what abort and threads need, and one about another is not.
#define ONLY_TO(number, pid) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, pid, 0, 1), \
    RETURN(SECCOMP_RET_ALLOW), RETURN(DENY)

static int confine_calls(int makes_frames) {
#ifdef MACHINE
  const uint32_t own = (uint32_t)getpid();
  const uint32_t sharing = makes_frames ? SECCOMP_RET_ALLOW : DENY;
  struct sock_filter code[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0), RETURN(KILL),
    LOAD(nr),
#if defined(__x86_64__)
    // The same calls by their numbers in the x32 interface.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), RETURN(KILL),
#endif
#ifdef SYS_fork
    ON(SYS_fork, KILL), ON(SYS_vfork, KILL),
#endif
    ON(SYS_execve, KILL), ON(SYS_execveat, KILL), ON(SYS_ptrace, KILL), ON(SYS_process_vm_readv, KILL), ON(SYS_process_vm_writev, KILL),
    // Its flags are out of a filter's reach: the C library then uses clone.
    ON(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS),
    ON(SYS_socket, DENY), ON(SYS_socketpair, DENY), ON(SYS_connect, DENY), ON(SYS_bind, DENY), ON(SYS_listen, DENY),
    ON(SYS_unshare, DENY), ON(SYS_setns, DENY), ON(SYS_mount, DENY), ON(SYS_keyctl, DENY), ON(SYS_add_key, DENY), ON(SYS_bpf, DENY),
    ON(SYS_perf_event_open, DENY), ON(SYS_io_uring_setup, DENY), ON(SYS_kcmp, DENY), ON(SYS_pidfd_getfd, DENY), ON(SYS_userfaultfd, DENY),
    ON(SYS_tkill, DENY), ON(SYS_pidfd_send_signal, DENY), ON(SYS_rt_sigqueueinfo, DENY), ON(SYS_rt_tgsigqueueinfo, DENY),
    // Memory that others can see is no part of this process's limits, and could grow until the machine has none.
    ON(SYS_memfd_create, sharing), ON(SYS_shmget, DENY), ON(SYS_memfd_secret, DENY),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 5),
    LOAD(args[3]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 0, 1), RETURN(DENY), RETURN(SECCOMP_RET_ALLOW),
    ONLY_TO(SYS_kill, own), ONLY_TO(SYS_tgkill, own), ONLY_TO(SYS_prlimit64, 0),
    // A thread is welcome, a process is not.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), RETURN(SECCOMP_RET_ALLOW), RETURN(KILL),
    RETURN(SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0)
    return MODULE_WALL_CALLS | MODULE_WALL_PROCESSES | MODULE_WALL_NETWORK;
#endif
  return 0;
}

int module_worker_confine(const char *const *readable, int count, int makes_frames) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
  return confine_files(readable, count) | confine_calls(makes_frames);
}
