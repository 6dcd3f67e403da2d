#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// The results of denied calls.
enum { END = 0, NOT_PERMITTED = EPERM, NO_ACCESS = EACCES, NOT_THERE = ENOSYS, NO_SPACE = ENOSPC };

// Why calls are allowed.
#define OPEN_FILES "uses files that are open"
#define FILE_NAMES "finds files by name"
#define WAITING "waits, with descriptors that count"
#define CHANNEL "uses the channel to the host"
#define MEMORY "changes memory of its own, which counts"
#define THREADS "runs threads of its own, which count"
#define SIGNALS "handles signals that it receives"
#define FACTS "reads facts about the process and the machine"
// Why calls are denied.
#define PROCESSES "reaches other processes, or makes new ones"
#define PRIORITY "takes the processor from others"
#define PRIVILEGES "changes privileges or limits"
#define NETWORK "reaches the network or makes sockets"
#define ATTRIBUTES "reads or changes attributes of files, or locks them"
#define WATCHING "watches files, or reaches them without their names"
#define WRITING "writes, creates or removes files"
#define UNCOUNTED "takes memory that no limit of the process counts"
#define SHARES "takes a share of what all processes of the machine or the user have together"
#define NAMESPACES "changes namespaces or mounts"
#define MACHINE "reaches the kernel or the machine"
#define GONE "is one that no program needs"

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif
// TCGETS2, whose macro needs a struct of the kernel's that the C library does not have.
#define GET_TERMINAL 0x802c542aU
#ifndef PR_GET_THP_DISABLE
#define PR_GET_THP_DISABLE 42
#endif

#define ALLOWED(name, x86_64, aarch64, reason) {#name, x86_64, aarch64, true, 0, reason, {{0}}},
#define DENIED(name, x86_64, aarch64, outcome, reason) {#name, x86_64, aarch64, false, outcome, reason, {{0}}},
#define CHECKED(name, x86_64, aarch64, outcome, reason, ...) {#name, x86_64, aarch64, true, outcome, reason, {__VA_ARGS__}},
#define CHECK(test, argument, denied, count, ...) {MODULE_CHECK_##test, argument, count, 0, 0, 0, {__VA_ARGS__}, denied, false}
#define COUNTED(argument, count, ...) {MODULE_CHECK_ONE_OF, argument, count, 0, 0, 0, {__VA_ARGS__}, "", true}
#define OWN MODULE_CHECK_OWN

const struct call_rule module_call_rules[] = {
  // Allowed with some arguments.
  CHECKED(mmap, 9, 222, NOT_PERMITTED, MEMORY, CHECK(NOT_ALL_BITS, 3, "MAP_SHARED with MAP_ANONYMOUS", 1, MAP_SHARED | MAP_ANONYMOUS),
          CHECK(NO_BIT, 3, "MAP_GROWSDOWN", 1, MAP_GROWSDOWN), CHECK(NO_BIT, 3, "MAP_HUGETLB", 1, MAP_HUGETLB))
  // A thread with a descriptor table of its own could open as many descriptors again.
  CHECKED(clone, 56, 220, END, THREADS, CHECK(ALL_BITS, 0, "without CLONE_THREAD or CLONE_FILES", 1, CLONE_THREAD | CLONE_FILES),
          COUNTED(0, 0, 0))
  // Others wait for and change what is watched already. The error is that of the kernel's own limit.
  CHECKED(epoll_ctl, 233, 21, NO_SPACE, WAITING, COUNTED(1, 2, EPOLL_CTL_DEL, EPOLL_CTL_MOD))
  CHECKED(close_range, 436, 436, NOT_PERMITTED, OPEN_FILES, CHECK(NO_BIT, 2, "CLOSE_RANGE_UNSHARE", 1, CLOSE_RANGE_UNSHARE))
  CHECKED(open, 2, -1, NO_ACCESS, FILE_NAMES, CHECK(NO_BIT, 1, "to write", 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_ASYNC))
  CHECKED(openat, 257, 56, NO_ACCESS, FILE_NAMES, CHECK(NO_BIT, 2, "to write", 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_ASYNC))
  CHECKED(fcntl, 72, 25, NOT_PERMITTED, OPEN_FILES,
          CHECK(ONE_OF, 1, "but F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETPIPE_SZ, F_GET_SEALS", 8, F_DUPFD,
                F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETPIPE_SZ, F_GET_SEALS),
          {MODULE_CHECK_NO_BIT, 2, 1, 1, 1, F_SETFL, {O_ASYNC}, "F_SETFL with O_ASYNC", false})
  CHECKED(ioctl, 16, 29, NOT_PERMITTED, OPEN_FILES,
          CHECK(ONE_OF, 1, "but TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX", 7, TCGETS, GET_TERMINAL, TIOCGWINSZ, FIONREAD,
                FIONBIO, FIOCLEX, FIONCLEX))
  // Neither its name, nor the signal that ends it with its parent, nor whether others may look into it.
  CHECKED(prctl, 157, 167, NOT_PERMITTED, FACTS,
          CHECK(ONE_OF, 0, "but PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_PDEATHSIG, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, "
                "PR_GET_TIMERSLACK, PR_GET_THP_DISABLE, PR_SVE_GET_VL", 9, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_PDEATHSIG,
                PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_GET_TIMERSLACK, PR_GET_THP_DISABLE, 51))
  // Urgent bytes are beside the stream: its reader is woken, and finds nothing.
  CHECKED(sendto, 44, 206, NOT_PERMITTED, CHANNEL, CHECK(NO_BIT, 3, "MSG_OOB", 1, MSG_OOB))
  CHECKED(sendmsg, 46, 211, NOT_PERMITTED, CHANNEL, CHECK(NO_BIT, 2, "MSG_OOB", 1, MSG_OOB))
  // SO_PEERPIDFD opens the process of the host.
  CHECKED(getsockopt, 55, 209, NOT_PERMITTED, CHANNEL, CHECK(ONE_OF, 1, "of another level than SOL_SOCKET", 1, SOL_SOCKET),
          CHECK(ONE_OF, 2, "but SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ERROR, SO_ACCEPTCONN, SO_SNDBUF, SO_RCVBUF, SO_SNDTIMEO, SO_RCVTIMEO", 9,
                SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ERROR, SO_ACCEPTCONN, SO_SNDBUF, SO_RCVBUF, SO_SNDTIMEO, SO_RCVTIMEO))
  CHECKED(kill, 62, 129, NOT_PERMITTED, SIGNALS, CHECK(ONE_OF, 0, "to another process", 1, OWN))
  CHECKED(tgkill, 234, 131, NOT_PERMITTED, SIGNALS, CHECK(ONE_OF, 0, "to another process", 1, OWN))
  CHECKED(prlimit64, 302, 261, NOT_PERMITTED, FACTS, CHECK(ONE_OF, 0, "of another process", 2, 0, OWN))
  CHECKED(sched_setaffinity, 203, 122, NOT_PERMITTED, THREADS, CHECK(ONE_OF, 0, "of another thread", 2, 0, OWN))
  CHECKED(setpriority, 141, 140, NOT_PERMITTED, THREADS, CHECK(ONE_OF, 0, "of groups and users", 1, 0),
          {MODULE_CHECK_ONE_OF, 1, 1, 1, 0, 0, {0}, "of another process", false})
#include "calls_allowed.h"
#include "calls_denied.h"
};
const int module_call_rule_count = sizeof module_call_rules / sizeof *module_call_rules;

int module_call_number(const struct call_rule *rule) {
#if defined(__x86_64__)
  return rule->x86_64;
#elif defined(__aarch64__)
  return rule->aarch64;
#else
  (void)rule;
  return -1;
#endif
}

// MARK: the list

int module_call_count(void) { return module_call_rule_count * (1 + MODULE_CHECKS); }

// Every rule has an entry for its allowed uses, and one for each check that denies.
bool module_call_rule(int index, struct module_call *call) {
  if (index < 0 || index >= module_call_count()) return false;
  const struct call_rule *rule = &module_call_rules[index / (1 + MODULE_CHECKS)];
  const int part = index % (1 + MODULE_CHECKS) - 1;
  const struct call_check *check = part < 0 ? NULL : &rule->checks[part];
  if (check && (check->test == MODULE_CHECK_NONE || check->is_counted)) return false;
  *call = (struct module_call){
    rule->name, check ? check->denied : "", rule->reason, module_call_number(rule), rule->x86_64, rule->aarch64, rule->outcome,
    rule->is_allowed && !check, {-1, -1, -1, -1, -1, -1}};
  if (!check) return true;
  if (check->has_condition) call->example[check->condition_argument] = check->condition_value;
  switch (check->test) {
  case MODULE_CHECK_ONE_OF: call->example[check->argument] = 0x7ffffff0; break;
  case MODULE_CHECK_ALL_BITS: call->example[check->argument] = 0; break;
  default: call->example[check->argument] = check->values[0];
  }
  return true;
}

const char *module_call_name(int number) {
  for (int i = 0; i < module_call_rule_count; i++)
    if (number >= 0 && module_call_number(&module_call_rules[i]) == number) return module_call_rules[i].name;
  return NULL;
}

int module_denied_calls(int shown, int numbers[], int capacity) {
  struct wall_shown state;
  if (pread(shown, &state, sizeof state, 0) != sizeof state) return 0;
  int count = 0;
  for (int i = 0; i < WALL_CALLS && count < capacity; i++)
    if (state.denied[i] > 0) numbers[count++] = i;
  return count;
}
