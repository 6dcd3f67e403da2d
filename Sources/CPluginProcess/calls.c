#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

// The results of denied calls.
enum { END = 0, NOT_PERMITTED = EPERM, NO_ACCESS = EACCES, NOT_THERE = ENOSYS };
// Represents the process's own ID in a rule.
#define OWN 0xfffffffeu
// The newest call known to this list (mseal). Newer calls are reported as nonexistent.
enum { NEWEST = 462 };

// The denied calls. The filter, the displayed list and the tests are generated from this table.
#define CALL(name, outcome) {#name, SYS_##name, outcome, MODULE_CALL_ALWAYS, 0, 0, 0, 0, 0, {0}, ""}
#define CALL_WHEN(name, outcome, test, argument, when, count, ...) \
  {#name, SYS_##name, outcome, test, argument, count, 0, 0, 0, {__VA_ARGS__}, when}
static const struct call_rule rules[] = {
  // Other processes.
  CALL(fork, END), CALL(vfork, END), CALL(execve, END), CALL(execveat, END), CALL(ptrace, END), CALL(process_vm_readv, END),
  CALL(process_vm_writev, END),
  CALL_WHEN(clone, END, MODULE_CALL_UNLESS_ANY_BIT, 0, "without CLONE_THREAD", 1, CLONE_THREAD),
  // A thread with its own descriptor table could open as many descriptors again.
  CALL_WHEN(clone, END, MODULE_CALL_UNLESS_ANY_BIT, 0, "without CLONE_FILES", 1, CLONE_FILES),
  // A filter cannot read its flags, which are in memory. If it is missing, the C library uses clone.
  CALL(clone3, NOT_THERE),
  CALL_WHEN(kill, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "to another process", 1, OWN),
  CALL_WHEN(tgkill, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "to another process", 1, OWN),
  CALL(tkill, NOT_PERMITTED), CALL(rt_sigqueueinfo, NOT_PERMITTED), CALL(rt_tgsigqueueinfo, NOT_PERMITTED),
  CALL(pidfd_open, NOT_PERMITTED), CALL(pidfd_getfd, NOT_PERMITTED), CALL(pidfd_send_signal, NOT_PERMITTED),
  CALL(process_madvise, NOT_PERMITTED), CALL(process_mrelease, NOT_PERMITTED), CALL(kcmp, NOT_PERMITTED),
  CALL_WHEN(prlimit64, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another process", 2, 0, OWN),
  CALL_WHEN(sched_setaffinity, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another thread", 2, 0, OWN),
  CALL_WHEN(sched_setscheduler, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another thread", 2, 0, OWN),
  CALL_WHEN(sched_setparam, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another thread", 2, 0, OWN),
  CALL_WHEN(sched_setattr, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another thread", 2, 0, OWN),
  CALL_WHEN(setpriority, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of groups and users", 1, 0),
  CALL_WHEN(setpriority, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 1, "of another process", 1, 0),
  CALL_WHEN(migrate_pages, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another process", 2, 0, OWN),
  CALL_WHEN(move_pages, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 0, "of another process", 2, 0, OWN),
  CALL(ioprio_set, NOT_PERMITTED),
  // Descriptors that send signals or report on other processes' files, and terminals.
  CALL_WHEN(fcntl, NOT_PERMITTED, MODULE_CALL_IF_ONE_OF, 1, "F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ", 6,
            F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ),
  {"fcntl", SYS_fcntl, NOT_PERMITTED, MODULE_CALL_IF_ANY_BIT, 2, 1, 1, 1, F_SETFL, {O_ASYNC}, "F_SETFL with O_ASYNC"},
  CALL_WHEN(ioctl, NOT_PERMITTED, MODULE_CALL_UNLESS_ONE_OF, 1, "but TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX", 6,
            TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX),
  CALL(vhangup, NOT_PERMITTED),
  // The network.
  CALL(socket, NOT_PERMITTED), CALL(socketpair, NOT_PERMITTED), CALL(connect, NOT_PERMITTED), CALL(bind, NOT_PERMITTED),
  CALL(listen, NOT_PERMITTED), CALL(accept, NOT_PERMITTED), CALL(accept4, NOT_PERMITTED),
  // File attributes and permissions.
  CALL(chmod, NOT_PERMITTED), CALL(fchmod, NOT_PERMITTED), CALL(fchmodat, NOT_PERMITTED), CALL(fchmodat2, NOT_PERMITTED),
  CALL(chown, NOT_PERMITTED), CALL(fchown, NOT_PERMITTED), CALL(lchown, NOT_PERMITTED), CALL(fchownat, NOT_PERMITTED),
  CALL(utime, NOT_PERMITTED), CALL(utimes, NOT_PERMITTED), CALL(utimensat, NOT_PERMITTED), CALL(futimesat, NOT_PERMITTED),
  CALL(setxattr, NOT_PERMITTED), CALL(lsetxattr, NOT_PERMITTED), CALL(fsetxattr, NOT_PERMITTED), CALL(removexattr, NOT_PERMITTED),
  CALL(lremovexattr, NOT_PERMITTED), CALL(fremovexattr, NOT_PERMITTED), CALL(inotify_init, NOT_PERMITTED),
  CALL(inotify_init1, NOT_PERMITTED), CALL(inotify_add_watch, NOT_PERMITTED), CALL(fanotify_init, NOT_PERMITTED),
  CALL(fanotify_mark, NOT_PERMITTED), CALL(name_to_handle_at, NOT_PERMITTED), CALL(open_by_handle_at, NOT_PERMITTED),
  CALL(flock, NOT_PERMITTED), CALL(sync, NOT_PERMITTED), CALL(syncfs, NOT_PERMITTED),
  // Writing files and changing directories.
  CALL_WHEN(open, NO_ACCESS, MODULE_CALL_IF_ANY_BIT, 1, "to write", 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
  CALL_WHEN(openat, NO_ACCESS, MODULE_CALL_IF_ANY_BIT, 2, "to write", 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
  CALL(openat2, NOT_THERE), CALL(creat, NO_ACCESS), CALL(truncate, NO_ACCESS), CALL(rename, NO_ACCESS), CALL(renameat, NO_ACCESS),
  CALL(renameat2, NO_ACCESS), CALL(link, NO_ACCESS), CALL(linkat, NO_ACCESS), CALL(symlink, NO_ACCESS), CALL(symlinkat, NO_ACCESS),
  CALL(unlink, NO_ACCESS), CALL(unlinkat, NO_ACCESS), CALL(mkdir, NO_ACCESS), CALL(mkdirat, NO_ACCESS), CALL(rmdir, NO_ACCESS),
  CALL(mknod, NO_ACCESS), CALL(mknodat, NO_ACCESS),
  // Memory that no process limit counts, and memory shared through the System V and POSIX interfaces.
  CALL_WHEN(mmap, NOT_PERMITTED, MODULE_CALL_IF_ALL_BITS, 3, "MAP_SHARED with MAP_ANONYMOUS", 1, MAP_SHARED | MAP_ANONYMOUS),
  CALL_WHEN(mmap, NOT_PERMITTED, MODULE_CALL_IF_ANY_BIT, 3, "MAP_GROWSDOWN", 1, MAP_GROWSDOWN),
  // Pages in a pipe are not accounted to any process.
  CALL(vmsplice, NOT_PERMITTED), CALL(splice, NOT_PERMITTED), CALL(tee, NOT_PERMITTED),
  CALL(memfd_create, NOT_PERMITTED), CALL(memfd_secret, NOT_PERMITTED), CALL(shmget, NOT_PERMITTED), CALL(shmat, NOT_PERMITTED),
  CALL(shmctl, NOT_PERMITTED), CALL(semget, NOT_PERMITTED), CALL(semctl, NOT_PERMITTED), CALL(msgget, NOT_PERMITTED),
  CALL(msgctl, NOT_PERMITTED), CALL(mq_open, NOT_PERMITTED), CALL(mq_unlink, NOT_PERMITTED),
  // Namespaces and mounts.
  CALL(unshare, NOT_PERMITTED), CALL(setns, NOT_PERMITTED), CALL(mount, NOT_PERMITTED), CALL(umount2, NOT_PERMITTED),
  CALL(pivot_root, NOT_PERMITTED), CALL(chroot, NOT_PERMITTED), CALL(open_tree, NOT_PERMITTED), CALL(move_mount, NOT_PERMITTED),
  CALL(fsopen, NOT_PERMITTED), CALL(fsconfig, NOT_PERMITTED), CALL(fsmount, NOT_PERMITTED), CALL(fspick, NOT_PERMITTED),
  CALL(mount_setattr, NOT_PERMITTED), CALL(statmount, NOT_PERMITTED), CALL(listmount, NOT_PERMITTED),
  // The kernel and the machine.
  CALL(keyctl, NOT_PERMITTED), CALL(add_key, NOT_PERMITTED), CALL(request_key, NOT_PERMITTED), CALL(bpf, NOT_PERMITTED),
  CALL(perf_event_open, NOT_PERMITTED), CALL(io_uring_setup, NOT_PERMITTED), CALL(io_uring_enter, NOT_PERMITTED),
  CALL(io_uring_register, NOT_PERMITTED), CALL(userfaultfd, NOT_PERMITTED), CALL(init_module, NOT_PERMITTED),
  CALL(finit_module, NOT_PERMITTED), CALL(delete_module, NOT_PERMITTED), CALL(kexec_load, NOT_PERMITTED),
  CALL(kexec_file_load, NOT_PERMITTED), CALL(reboot, NOT_PERMITTED), CALL(swapon, NOT_PERMITTED), CALL(swapoff, NOT_PERMITTED),
  CALL(acct, NOT_PERMITTED), CALL(quotactl, NOT_PERMITTED), CALL(quotactl_fd, NOT_PERMITTED), CALL(syslog, NOT_PERMITTED),
  CALL(iopl, NOT_PERMITTED), CALL(ioperm, NOT_PERMITTED), CALL(sethostname, NOT_PERMITTED), CALL(setdomainname, NOT_PERMITTED),
  CALL(settimeofday, NOT_PERMITTED), CALL(clock_settime, NOT_PERMITTED), CALL(adjtimex, NOT_PERMITTED),
  CALL(clock_adjtime, NOT_PERMITTED), CALL(personality, NOT_PERMITTED), CALL(lsm_set_self_attr, NOT_PERMITTED),
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static bool is_made_for_checks(const struct call_rule *rule) { return strcmp(rule->name, "memfd_create") == 0; }

static bool is_in_force(const struct call_rule *rule, bool makes_frames) {
  return rule->number >= 0 && !(makes_frames && is_made_for_checks(rule));
}

// MARK: the list

int module_call_count(void) { return RULE_COUNT; }

bool module_call_rule(int index, bool makes_frames, struct module_call *call) {
  if (index < 0 || index >= RULE_COUNT || !is_in_force(&rules[index], makes_frames)) return false;
  const struct call_rule *rule = &rules[index];
  *call = (struct module_call){rule->name, rule->when, rule->number, rule->outcome, {-1, -1, -1, -1, -1, -1}};
  if (rule->has_condition) call->example[rule->condition_argument] = rule->condition_value;
  switch (rule->test) {
  case MODULE_CALL_ALWAYS: break;
  case MODULE_CALL_UNLESS_ONE_OF: call->example[rule->argument] = 0x7ffffff0; break;
  case MODULE_CALL_UNLESS_ANY_BIT: call->example[rule->argument] = 0; break;
  default: call->example[rule->argument] = rule->values[0];
  }
  // The second rule of setpriority is about processes, not groups.
  if (rule->number == SYS_setpriority && rule->argument == 1) call->example[0] = 0;
  return true;
}

// MARK: the filter

struct program { struct sock_filter code[1024]; unsigned short length; };

static void emit(struct program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
  if (program->length < sizeof program->code / sizeof *program->code)
    program->code[program->length++] = (struct sock_filter){code, yes, no, value};
}
static void load(struct program *program, size_t offset) { emit(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }
static void load_number(struct program *program) { load(program, offsetof(struct seccomp_data, nr)); }
static void load_argument(struct program *program, int index) {
  // The kernel's handlers of these arguments use the low half, too.
  load(program, offsetof(struct seccomp_data, args) + (size_t)index * 8);
}
static void jump(struct program *program, uint16_t kind, uint32_t value, int yes, int no) {
  emit(program, BPF_JMP | kind | BPF_K, (uint8_t)yes, (uint8_t)no, value);
}
static void finish(struct program *program, uint32_t value) { emit(program, BPF_RET | BPF_K, 0, 0, value); }
static uint32_t outcome(const struct call_rule *rule) {
  return rule->outcome == END ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | rule->outcome;
}

// Jumps to the end of the rule if it does not apply; the number is reloaded there for the next one.
static void emit_test(struct program *program, const struct call_rule *rule, uint32_t own) {
  load_argument(program, rule->argument);
  const int count = rule->count;
  switch (rule->test) {
  case MODULE_CALL_IF_ONE_OF:
    for (int i = 0; i < count; i++) jump(program, BPF_JEQ, rule->values[i], count - i, 0);
    jump(program, BPF_JA, 1, 0, 0);
    break;
  case MODULE_CALL_UNLESS_ONE_OF:
    for (int i = 0; i < count; i++) jump(program, BPF_JEQ, rule->values[i] == OWN ? own : rule->values[i], count - i, 0);
    break;
  case MODULE_CALL_IF_ALL_BITS:
    emit(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, rule->values[0]);
    jump(program, BPF_JEQ, rule->values[0], 0, 1);
    break;
  case MODULE_CALL_IF_ANY_BIT: jump(program, BPF_JSET, rule->values[0], 0, 1); break;
  default: jump(program, BPF_JSET, rule->values[0], 1, 0);
  }
  finish(program, outcome(rule));
}

static void emit_rule(struct program *program, const struct call_rule *rule, uint32_t own) {
  const unsigned short start = program->length;
  jump(program, BPF_JEQ, (uint32_t)rule->number, 0, 0);
  if (rule->test == MODULE_CALL_ALWAYS) {
    finish(program, outcome(rule));
    program->code[start].jf = 1;
    return;
  }
  unsigned short condition = 0;
  if (rule->has_condition) {
    load_argument(program, rule->condition_argument);
    condition = program->length;
    jump(program, BPF_JEQ, rule->condition_value, 0, 0);
  }
  emit_test(program, rule, own);
  if (condition) program->code[condition].jf = (uint8_t)(program->length - condition - 1);
  load_number(program);
  program->code[start].jf = (uint8_t)(program->length - start - 1);
}

int module_confine_calls(bool makes_frames) {
#ifdef MACHINE
  struct program program = {.length = 0};
  load(&program, offsetof(struct seccomp_data, arch));
  jump(&program, BPF_JEQ, MACHINE, 1, 0);
  finish(&program, SECCOMP_RET_KILL_PROCESS);
  load_number(&program);
#if defined(__x86_64__)
  // The same calls by their numbers in the x32 interface.
  jump(&program, BPF_JGE, 0x40000000, 0, 1);
  finish(&program, SECCOMP_RET_KILL_PROCESS);
#endif
  jump(&program, BPF_JGT, NEWEST, 0, 1);
  finish(&program, SECCOMP_RET_ERRNO | ENOSYS);
  for (int i = 0; i < RULE_COUNT; i++)
    if (is_in_force(&rules[i], makes_frames)) emit_rule(&program, &rules[i], (uint32_t)getpid());
  finish(&program, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {program.length, program.code};
  if (program.length < sizeof program.code / sizeof *program.code &&
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0)
    return MODULE_WALL_CALLS | MODULE_WALL_PROCESSES | MODULE_WALL_NETWORK;
#else
  (void)makes_frames;
#endif
  return 0;
}
