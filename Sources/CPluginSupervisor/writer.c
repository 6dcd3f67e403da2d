#define _GNU_SOURCE
#include "writer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// All that is ever shown of a plugin can wait. Times are in milliseconds.
enum { MOST_WAITING = 66 << 10, LONGEST_WRITE = 2, PAUSE = 50, MOST_PAUSES = 20, MOST_IDLE_PAUSES = 3 };

static struct {
  char bytes[MOST_WAITING];
  size_t filled, written;
  int64_t next; // when the stream is tried again
} waiting;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void nothing(int number) { (void)number; }

// Interrupts calls that block, again and again, since the first signal may come before the call. Installed after the worker was started, which would inherit
// the handler.
static void interrupt_each(int milliseconds) {
  static bool is_installed = false;
  if (!is_installed) {
    struct sigaction action = {.sa_handler = nothing};
    sigemptyset(&action.sa_mask);
    is_installed = sigaction(SIGALRM, &action, NULL) == 0;
  }
  const struct timeval interval = {0, milliseconds * 1000};
  setitimer(ITIMER_REAL, &(struct itimerval){interval, interval}, NULL);
}

// A terminal that has room for one byte says that it can be written to, and then blocks a longer text until somebody reads. Its mode belongs to all of its
// users, and this process can start no thread to wait in: none can be started after its namespaces were.
static ssize_t write_briefly(int output, const char *text, size_t count) {
  struct pollfd room = {output, POLLOUT, 0};
  if (poll(&room, 1, 0) != 1) {
    errno = EAGAIN;
    return -1;
  }
  interrupt_each(LONGEST_WRITE);
  const ssize_t written = write(output, text, count);
  const int error = errno;
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
  errno = error;
  return written;
}

void wall_writer_flush(int output) {
  if (waiting.written == waiting.filled || now() < waiting.next) return;
  while (waiting.written < waiting.filled) {
    // Line by line: others write to the same stream.
    const char *start = waiting.bytes + waiting.written, *end = memchr(start, '\n', waiting.filled - waiting.written);
    const size_t count = end ? (size_t)(end - start) + 1 : waiting.filled - waiting.written;
    const ssize_t written = write_briefly(output, start, count);
    if (written < 0 && errno != EINTR && errno != EAGAIN) break;
    if (written > 0) waiting.written += (size_t)written;
    if (written < (ssize_t)count) {
      waiting.next = now() + PAUSE;
      return;
    }
  }
  // All is written, or nothing ever will be.
  waiting.filled = waiting.written = 0;
}

void wall_writer_put(int output, const char *line, size_t count) {
  if (count <= sizeof waiting.bytes - waiting.filled) {
    memcpy(waiting.bytes + waiting.filled, line, count);
    waiting.filled += count;
  }
  wall_writer_flush(output);
}

void wall_writer_finish(int output) {
  int idle = 0;
  for (int i = 0; i < MOST_PAUSES && idle < MOST_IDLE_PAUSES && waiting.written < waiting.filled; i++) {
    usleep(PAUSE * 1000);
    const size_t before = waiting.filled - waiting.written;
    wall_writer_flush(output);
    idle = waiting.filled - waiting.written == before ? idle + 1 : 0;
  }
}
