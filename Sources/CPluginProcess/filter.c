#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

// Whether a supervisor waits for a listener.
static bool has_supervisor(void) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(MODULE_DENIALS, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

#ifndef SECCOMP_FILTER_FLAG_TSYNC_ESRCH
#define SECCOMP_FILTER_FLAG_TSYNC_ESRCH (1UL << 4)
#endif

#ifdef MACHINE
struct program {
  struct sock_filter code[2048];
  unsigned short length;
  /// Whether the supervisor answers denied calls, and counts them.
  bool are_answered;
};

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

// Programs go on without a call that is not there, and without names of threads: these explain nothing.
static bool is_answered(const struct call_rule *rule) {
  return rule->outcome != 0 && rule->outcome != ENOSYS && strcmp(rule->name, "prctl") != 0;
}

// A call that ends the process does so in the handler of its signal, which tells the host its name.
static uint32_t outcome(const struct program *program, const struct call_rule *rule) {
  if (program->are_answered && is_answered(rule)) return SECCOMP_RET_USER_NOTIF;
  return rule->outcome == 0 ? SECCOMP_RET_TRAP : SECCOMP_RET_ERRNO | rule->outcome;
}

// Goes on after the check if it is met, and otherwise denies the call.
static void emit_check(struct program *program, const struct call_rule *rule, const struct call_check *check, uint32_t own) {
  unsigned short condition = 0;
  if (check->has_condition) {
    load_argument(program, check->condition_argument);
    condition = program->length;
    jump(program, BPF_JEQ, check->condition_value, 0, 0);
  }
  load_argument(program, check->argument);
  switch (check->test) {
  case MODULE_CHECK_ONE_OF:
    for (int i = 0; i < check->count; i++)
      jump(program, BPF_JEQ, check->values[i] == MODULE_CHECK_OWN ? own : check->values[i], check->count - i, 0);
    break;
  case MODULE_CHECK_NO_BIT: jump(program, BPF_JSET, check->values[0], 0, 1); break;
  case MODULE_CHECK_ALL_BITS:
  default:
    emit(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, check->values[0]);
    jump(program, BPF_JEQ, check->values[0], check->test == MODULE_CHECK_ALL_BITS, check->test != MODULE_CHECK_ALL_BITS);
  }
  finish(program, check->is_counted ? SECCOMP_RET_USER_NOTIF : outcome(program, rule));
  if (condition) program->code[condition].jf = (uint8_t)(program->length - condition - 1);
}

static void emit_rule(struct program *program, const struct call_rule *rule, uint32_t own) {
  const unsigned short start = program->length;
  jump(program, BPF_JEQ, (uint32_t)module_call_number(rule), 0, 0);
  for (int i = 0; rule->is_allowed && i < MODULE_CHECKS && rule->checks[i].test != MODULE_CHECK_NONE; i++)
    if (program->are_answered || !rule->checks[i].is_counted) emit_check(program, rule, &rule->checks[i], own);
  finish(program, rule->is_allowed ? SECCOMP_RET_ALLOW : outcome(program, rule));
  program->code[start].jf = (uint8_t)(program->length - start - 1);
}

// A handler for the signal of a denied call would let the process go on. It cannot be had, like those of SIGKILL and SIGSTOP. Asking for the action is allowed.
static void keep_handler(struct program *program) {
  const size_t action = offsetof(struct seccomp_data, args) + 8;
  load_number(program);
  jump(program, BPF_JEQ, SYS_rt_sigaction, 0, 7);
  load_argument(program, 0);
  jump(program, BPF_JEQ, SIGSYS, 0, 5);
  load(program, action);
  jump(program, BPF_JEQ, 0, 0, 2);
  load(program, action + 4);
  jump(program, BPF_JEQ, 0, 1, 0);
  finish(program, SECCOMP_RET_ERRNO | EINVAL);
  load_number(program);
}

// A thread that asks to precede others goes on as if it did: no process may, and libdispatch, which asks for its own threads, would log the refusal through a socket
// that is denied.
static void ignore_precedence(struct program *program) {
  jump(program, BPF_JEQ, SYS_setpriority, 0, 8);
  load_argument(program, 0);
  jump(program, BPF_JEQ, PRIO_PROCESS, 0, 5);
  load_argument(program, 1);
  jump(program, BPF_JEQ, 0, 0, 3);
  load_argument(program, 2);
  jump(program, BPF_JSET, 0x80000000, 0, 1);
  finish(program, SECCOMP_RET_ERRNO | 0);
  load_number(program);
}

static void build(struct program *program) {
  const uint32_t own = (uint32_t)getpid();
  load(program, offsetof(struct seccomp_data, arch));
  jump(program, BPF_JEQ, MACHINE, 1, 0);
  finish(program, SECCOMP_RET_KILL_PROCESS);
  load_number(program);
#if defined(__x86_64__)
  // The same calls by their numbers in the x32 interface.
  jump(program, BPF_JGE, 0x40000000, 0, 1);
  finish(program, SECCOMP_RET_KILL_PROCESS);
#endif
  keep_handler(program);
  ignore_precedence(program);
  for (int i = 0; i < module_call_rule_count; i++)
    if (module_call_number(&module_call_rules[i]) >= 0) emit_rule(program, &module_call_rules[i], own);
  // Calls that are newer than the list.
  finish(program, SECCOMP_RET_ERRNO | ENOSYS);
}

static long install(const struct program *program, unsigned int flags) {
  const struct sock_fprog filter = {program->length, (struct sock_filter *)program->code};
  if (program->length == sizeof program->code / sizeof *program->code) return -1;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

// Hands over to the supervisor what it needs to answer denied calls. Nothing of this process has it afterward.
static bool hand_over(int listener) {
  struct wall_denials table = {{0}};
  for (int i = 0; i < module_call_rule_count; i++) {
    const int number = module_call_number(&module_call_rules[i]);
    if (number >= 0 && number < WALL_CALLS && is_answered(&module_call_rules[i])) table.errors[number] = module_call_rules[i].outcome;
  }
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control = {{0}};
  struct iovec vector = {&table, sizeof table};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &listener, sizeof listener);
  const bool is_sent = sendmsg(MODULE_DENIALS, &message, MSG_NOSIGNAL) == sizeof table;
  close(listener);
  close(MODULE_DENIALS);
  return is_sent;
}

int module_confine_calls(void) {
  const int bits = MODULE_WALL_CALLS | MODULE_WALL_PROCESSES | MODULE_WALL_NETWORK;
  struct program program = {.are_answered = has_supervisor()};
  if (program.are_answered) {
    build(&program);
    const long listener = install(
      &program, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH | SECCOMP_FILTER_FLAG_NEW_LISTENER);
    // No process would answer.
    if (listener >= 0 && !hand_over((int)listener)) _exit(127);
    if (listener >= 0) return bits;
    // Older than Linux 5.7, or somebody else listens already.
    close(MODULE_DENIALS);
  }
  program = (struct program){.length = 0};
  build(&program);
  return install(&program, SECCOMP_FILTER_FLAG_TSYNC) == 0 ? bits : 0;
}
#else
int module_confine_calls(void) {
  // A plugin must not have it.
  if (has_supervisor()) close(MODULE_DENIALS);
  return 0;
}
#endif
