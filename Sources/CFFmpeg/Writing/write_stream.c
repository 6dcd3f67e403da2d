// Descriptors to which bytes are written in order as they are made: pipes, sockets, terminals, and files that are already open.
// For F_SETPIPE_SZ.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "Writing/write_internal.h"

/// Interval in ms at which a wait for the other end checks for a request to stop.
#define PATIENCE 50

/// Number of bytes that a pipe polled as writable accepts without blocking.
#define PORTION PIPE_BUF

/// Size in bytes of a pipe that lets both programs work at once. It is the usual limit for unprivileged users.
#define PIPE_SIZE (1 << 20)

/// Opens our own description of a pipe: it does not block, and doesn't affect those who share the descriptor. -1 if that fails.
static int reopen_pipe(int descriptor) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  int own = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (own >= 0) fcntl(own, F_SETPIPE_SZ, PIPE_SIZE);
  return own;
}

int cff_stream_open(cff_stream *stream, const cff_stream_target *target) {
  struct stat status;
  *stream = (cff_stream){.descriptor = -1, .target = *target};
  if (fstat(target->descriptor, &status) < 0) return AVERROR(errno);
  stream->kind = S_ISREG(status.st_mode) ? CFF_STREAM_FILE
    : S_ISSOCK(status.st_mode)           ? CFF_STREAM_SOCKET
                                         : CFF_STREAM_SHARED;
  if (S_ISFIFO(status.st_mode)) stream->descriptor = reopen_pipe(target->descriptor);
  if (stream->descriptor >= 0) {
    stream->kind = CFF_STREAM_OWN_PIPE;
    return 0;
  }
  stream->descriptor = fcntl(target->descriptor, F_DUPFD_CLOEXEC, 3);
  return stream->descriptor < 0 ? AVERROR(errno) : 0;
}

static bool should_stop(const cff_stream *stream) {
  return stream->target.should_stop && stream->target.should_stop(stream->target.owner);
}

/// Waits until the other end accepts bytes. An error of the descriptor ends the wait; writing will report it.
static int wait_for_room(const cff_stream *stream) {
  for (;;) {
    if (should_stop(stream)) return AVERROR(ECANCELED);
    struct pollfd query = {.fd = stream->descriptor, .events = POLLOUT};
    int count = poll(&query, 1, PATIENCE);
    if (count > 0) return 0;
    if (count < 0 && errno != EINTR) return AVERROR(errno);
  }
}

static ssize_t put(const cff_stream *stream, const uint8_t *bytes, size_t count) {
  switch (stream->kind) {
  case CFF_STREAM_SOCKET: return send(stream->descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
  case CFF_STREAM_SHARED: return write(stream->descriptor, bytes, count < PORTION ? count : PORTION);
  case CFF_STREAM_OWN_PIPE:
  case CFF_STREAM_FILE: break;
  }
  return write(stream->descriptor, bytes, count);
}

static int write_all(cff_stream *stream, const uint8_t *bytes, int count) {
  int written = 0;
  // A descriptor that may block must not be written to before it is known to have room.
  bool must_poll = stream->kind == CFF_STREAM_SHARED;
  while (written < count) {
    if (should_stop(stream)) return AVERROR(ECANCELED);
    int error = must_poll ? wait_for_room(stream) : 0;
    if (error < 0) return error;
    ssize_t step = put(stream, bytes + written, (size_t)(count - written));
    must_poll = stream->kind == CFF_STREAM_SHARED || (step < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
    if (step < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (step <= 0) return AVERROR(step < 0 ? errno : EIO);
    written += (int)step;
    stream->byte_count += step;
  }
  return count;
}

/// If the reader is gone, the call fails without a signal to the process, whatever the program does about SIGPIPE.
int cff_stream_write(cff_stream *stream, const uint8_t *bytes, int count) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  int result = write_all(stream, bytes, count);
  if (result == AVERROR(EPIPE) && !sigismember(&pending, SIGPIPE)) {
    const struct timespec now = {0};
    while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return result;
}

int cff_stream_close(cff_stream *stream) {
  int descriptor = stream->descriptor;
  stream->descriptor = -1;
  return descriptor >= 0 && close(descriptor) < 0 ? AVERROR(errno) : 0;
}
