// Starts a program on a system that seems to lack something: without KIND USER PROGRAM ARGUMENT…
//   KIND  namespaces, landlock, seccomp: the calls for it fail as they do where there is none; nothing: all is there
//   USER  the number of the user that the program runs as, in a session that has the key "compositor-probe"
// The program itself needs no way to do without: what is missing here is denied from outside.
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

static void fail(const char *what) {
  fprintf(stderr, "without: %s: %s\n", what, strerror(errno));
  exit(126);
}

static void deny(long number, int error) {
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) fail("seccomp");
}

// A session with a key, as that of a login.
static void have_a_key(void) {
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
    syscall(SYS_add_key, "user", "compositor-probe", "secret", 6, KEY_SPEC_SESSION_KEYRING);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  const uid_t user = (uid_t)strtoul(arguments[2], NULL, 10);
  if (user != geteuid()) {
    if (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) fail("user");
  }
  have_a_key();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("no_new_privs");
  const char *kind = arguments[1];
  // As a container's own filter, a kernel that is too old, and a kernel without filters say it.
  if (!strcmp(kind, "namespaces")) deny(SYS_unshare, EPERM);
  else if (!strcmp(kind, "landlock")) deny(SYS_landlock_create_ruleset, ENOSYS);
  else if (!strcmp(kind, "seccomp")) deny(SYS_seccomp, ENOSYS);
  else if (strcmp(kind, "nothing")) return 64;
  execv(arguments[3], arguments + 3);
  fail(arguments[3]);
}
