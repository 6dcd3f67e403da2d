#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 4 };

int module_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Milliseconds until an expiry, 0 after it; -1 if there is none.
static int remaining(int64_t expiry) {
  if (expiry < 0) return -1;
  const int64_t left = expiry - now();
  return left <= 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

// Returns 0 if the socket is ready; -ETIMEDOUT; -EPROTO for urgent bytes, which are never sent on purpose and are no part of the stream; -errno.
static int wait_for(int socket, short events, int timeout) {
  struct pollfd wait = {socket, events | POLLPRI, 0};
  const int count = poll(&wait, 1, timeout);
  if (count < 0) return -errno;
  if (count == 0) return -ETIMEDOUT;
  return wait.revents & POLLPRI ? -EPROTO : 0;
}

int module_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count, int timeout) {
  const char *next = bytes;
  const int64_t expiry = timeout < 0 ? -1 : now() + timeout;
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)]; } control;
  while (count > 0) {
    struct iovec vector = {(void *)next, count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (descriptor_count > 0 && descriptor_count <= MOST_DESCRIPTORS) {
      memset(&control, 0, sizeof control);
      message.msg_control = control.space;
      message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptor_count);
      struct cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptor_count);
      memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)descriptor_count);
    }
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return -errno;
      const int state = wait_for(socket, POLLOUT, remaining(expiry));
      if (state < 0 && state != -EINTR) return state;
      continue;
    }
    next += sent;
    count -= (size_t)sent;
    descriptor_count = 0;
  }
  return 0;
}

ssize_t module_receive(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count, int capacity, int timeout) {
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int) * 16)]; } control;
  // One for all waits: bytes that wake this process and are not there when they are read do not prolong it.
  const int64_t expiry = timeout < 0 ? -1 : now() + timeout;
  if (descriptor_count) *descriptor_count = 0;
  for (;;) {
    // Before each reading, which would drop urgent bytes without a word.
    const int state = wait_for(socket, POLLIN, remaining(expiry));
    if (state == -EINTR) continue;
    if (state < 0) return state;
    struct iovec vector = {bytes, count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    // Without room for descriptors, the kernel drops them before this process has them.
    if (capacity > 0) {
      message.msg_control = control.space;
      message.msg_controllen = sizeof control.space;
    }
    const ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (received < 0) {
      if (errno == EINTR || (errno == EAGAIN && remaining(expiry) != 0)) continue;
      return errno == EAGAIN ? -ETIMEDOUT : -errno;
    }
    // A receiver of descriptors that has no more room for them finds out by their number.
    if (capacity == 0 && message.msg_flags & MSG_CTRUNC) return -EBADMSG;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < found; i++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
        if (descriptors && descriptor_count && *descriptor_count < capacity) descriptors[(*descriptor_count)++] = descriptor;
        else close(descriptor);
      }
    }
    return received;
  }
}

void module_close(int descriptor) { close(descriptor); }
