#define _GNU_SOURCE
#include "denials.h"
#include "watches.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

// The size of the kernel's structs may be larger than those of its header.
enum { MOST_BYTES = 512, MOST_ANSWERS = 64 };

void wall_denials_start(struct denials *denials) {
  *denials = (struct denials){.socket = -1, .listener = -1};
  int ends[2];
  if (fcntl(MODULE_DENIALS, F_GETFD) >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return;
  // The ends may have the number themselves.
  denials->socket = fcntl(ends[0], F_DUPFD_CLOEXEC, MODULE_DENIALS + 1);
  const int other = fcntl(ends[1], F_DUPFD_CLOEXEC, MODULE_DENIALS + 1);
  close(ends[0]);
  close(ends[1]);
  dup2(other, MODULE_DENIALS);
  close(other);
}

void wall_denials_close_other_end(const struct denials *denials) {
  if (denials->socket >= 0) close(MODULE_DENIALS);
}

int wall_denials_descriptor(const struct denials *denials) {
  if (denials->is_flooded) return -1;
  return denials->listener >= 0 ? denials->listener : denials->socket;
}

static void take_listener(struct denials *denials) {
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
  struct iovec vector = {&denials->table, sizeof denials->table};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  const ssize_t count = recvmsg(denials->socket, &message, MSG_CMSG_CLOEXEC);
  const struct cmsghdr *header = count < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
    memcpy(&denials->listener, CMSG_DATA(header), sizeof(int));
  // Nothing else is expected from the worker, least of all from the plugin.
  close(denials->socket);
  denials->socket = -1;
}

// Returns whether there may be more.
static bool count(uint16_t *counter) {
  // Supervisors of other workers count at the same time.
  uint16_t seen = __atomic_load_n(counter, __ATOMIC_RELAXED);
  while (seen < UINT16_MAX && !__atomic_compare_exchange_n(counter, &seen, seen + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return seen < UINT16_MAX;
}

// Notes that a call is denied, and returns its result.
static int denied(struct denials *denials, int number) {
  const bool is_known = number >= 0 && number < WALL_CALLS && denials->table.errors[number] != 0;
  if (!is_known) return -EPERM;
  if (!count(&denials->shown->denied[number])) denials->is_flooded = true;
  return -(int)denials->table.errors[number];
}

static void stop_listening(struct denials *denials) {
  close(denials->listener);
  denials->listener = -1;
}

// Whether the worker may watch one more descriptor. Those that it has are only found out when there could be too many: a watch also ends with the
// descriptor, or with the epoll instance. Instances that are sent to the host and not received yet are not found, and are at most as many as the kernel lets
// the user send.
static bool may_watch(struct denials *denials) {
  if (denials->watches >= WALL_WATCHES) {
    const int count = wall_watches_count(denials->processes, denials->worker);
    denials->watches = count < 0 || count > WALL_WATCHES ? WALL_WATCHES : count;
  }
  if (denials->watches >= WALL_WATCHES) return false;
  denials->watches++;
  return true;
}

// Whether a call that the filter has asked for may be made: of these two, it asks only for those that are allowed otherwise.
static bool is_let_through(struct denials *denials, int number) {
  return number == SYS_clone || (number == SYS_epoll_ctl && may_watch(denials));
}

// Returns false if no call waits, or if the limits are to be checked before the next one.
static bool answer_one(struct denials *denials) {
  struct pollfd wait = {denials->listener, POLLIN, 0};
  if (poll(&wait, 1, 0) != 1) return false;
  if (!(wait.revents & POLLIN)) {
    // No process uses the filter any more.
    stop_listening(denials);
    return false;
  }
  union { struct seccomp_notif call; char space[MOST_BYTES]; } asked;
  union { struct seccomp_notif_resp answer; char space[MOST_BYTES]; } said;
  memset(&asked, 0, sizeof asked);
  memset(&said, 0, sizeof said);
  if (ioctl(denials->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
    // A thread that was interrupted asks again.
    if (errno == ENOENT || errno == EINTR) return true;
    stop_listening(denials);
    return false;
  }
  said.answer.id = asked.call.id;
  const int number = asked.call.data.nr;
  const bool goes_through = is_let_through(denials, number);
  if (goes_through) said.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else said.answer.error = denied(denials, number);
  ioctl(denials->listener, SECCOMP_IOCTL_NOTIF_SEND, &said);
  return !goes_through && number != SYS_epoll_ctl;
}

void wall_denials_answer(struct denials *denials) {
  if (denials->listener < 0) {
    if (denials->socket >= 0) take_listener(denials);
    return;
  }
  for (int i = 0; i < MOST_ANSWERS && answer_one(denials); i++) {}
}
