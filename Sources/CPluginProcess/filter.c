#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE
struct program { struct sock_filter code[2048]; unsigned short length; };

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

// A call that ends the process does so in the handler of its signal, which tells the host its name.
static uint32_t outcome(const struct call_rule *rule) {
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
  finish(program, outcome(rule));
  if (condition) program->code[condition].jf = (uint8_t)(program->length - condition - 1);
}

static void emit_rule(struct program *program, const struct call_rule *rule, uint32_t own) {
  const unsigned short start = program->length;
  jump(program, BPF_JEQ, (uint32_t)module_call_number(rule), 0, 0);
  for (int i = 0; rule->is_allowed && i < MODULE_CHECKS && rule->checks[i].test != MODULE_CHECK_NONE; i++)
    emit_check(program, rule, &rule->checks[i], own);
  finish(program, rule->is_allowed ? SECCOMP_RET_ALLOW : outcome(rule));
  program->code[start].jf = (uint8_t)(program->length - start - 1);
}

int module_confine_calls(void) {
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
  for (int i = 0; i < module_call_rule_count; i++)
    if (module_call_number(&module_call_rules[i]) >= 0) emit_rule(&program, &module_call_rules[i], (uint32_t)getpid());
  // Calls that are newer than the list.
  finish(&program, SECCOMP_RET_ERRNO | ENOSYS);
  const struct sock_fprog filter = {program.length, program.code};
  if (program.length < sizeof program.code / sizeof *program.code &&
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0)
    return MODULE_WALL_CALLS | MODULE_WALL_PROCESSES | MODULE_WALL_NETWORK;
  return 0;
}
#else
int module_confine_calls(void) { return 0; }
#endif
