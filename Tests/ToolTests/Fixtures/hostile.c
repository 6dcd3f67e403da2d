// A plugin that breaks one rule, named by DEED, from the frame numbered FRAME on. Until then it makes gray frames.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CRASH 1
#define HANG 2
#define EXIT 3
#define OVERRUN 4
#define WRONG_SIZE 5
#define WRONG_FORMAT 6
#define LEAK 7
#define PRINT 8
#define LOCALE 9
#define FORK 10
#define OWN_HANDLER 90
#define ROUNDING 11
#define WRITE_SOURCE 12
#define OVERRUN_BY_ONE 13
#define WRONG_TRACK 14
#define STALE_OUTPUT 15
#define SIGNAL_PARENT 16
#define READ_FILE 17
#define WRITE_FILE 18
#define CONNECT 19
#define WAIT 20
#define NEEDS_CRASH 25
#define NEEDS_HANG 26
#define SHARED_MEMORY 27
#define UNLOCK_SOURCE 21
#define REOPEN_SOURCE 22

#define STEAL_SOURCE 30
#define SCRIBBLE 31
#define TERMINAL 32
#define ESCAPES 33
#define FLOOD 34
#define DRIP 35
#define FORGE 36
#define LONG_ANSWER 37
#define OWNER 38
#define PRIVILEGES 39
#define GROW_DOWN 40
#define THREADS 41
#define DESCRIPTORS 42
#define CANCEL_ITSELF 43
#define FAIL 44
#define CALLS 45
#define CHANGE_MODE 46
#define CHANGE_TIME 47
#define WATCH 48
#define CALL_ONE 49
#define PAGE_TABLES 50
#define LONG_ERROR 51
#define UNMAP_OUTPUT 52
#define OUTLIVE 53
#define DENIED_LOOP 54
#define WRONG_PLANE 55
#define WRONG_COLOR 56
#define MANY_PLANES 57
#define EMPTY_PLANE 58
#define SEND_DESCRIPTORS 59
#define EXIT_125 60
#define EXIT_127 61
#define URGENT 62

// The file for READ_FILE and WRITE_FILE.
#ifndef PLACE
#define PLACE "/etc/passwd"
#endif
// The call for CALL_ONE.
#ifndef NUMBER
#define NUMBER 0
#endif
#ifndef CONCURRENCY
#define CONCURRENCY COMPOSITOR_CONCURRENT
#endif

static uint8_t *stale;

#include "hostile_calls.h"

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static void nothing(int number) { (void)number; }

// What the system said to something that plugins must not do.
static int32_t said(CompositorErrorText *error, int result) {
  snprintf(error->text, error->capacity, "the system said: %s", result < 0 ? strerror(errno) : "welcome");
  return COMPOSITOR_FAILED;
}

static int32_t misbehave(const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  const CompositorFrame *output = request->output;
  const CompositorPlane *last = &output->planes[output->plane_count - 1];
  uint8_t *end = (uint8_t *)last->data + last->stride * last->height;
  static CompositorFrame other;
  switch (DEED) {
  case CRASH: *(volatile int *)8 = 1; break;
  case HANG: for (;;) usleep(1000);
  case EXIT: exit(0);
  case EXIT_125: _exit(125);
  case EXIT_127: _exit(127);
  case OVERRUN: memset(end, 1, 100000); break;
  case OVERRUN_BY_ONE: end[0] ^= 0xff; break;
  case WRONG_SIZE:
    other = *output;
    other.width /= 2;
    answer->kind = COMPOSITOR_ANSWER_FRAME;
    answer->frame = &other;
    break;
  case WRONG_FORMAT:
    other = *output;
    other.format = "rgba";
    answer->kind = COMPOSITOR_ANSWER_FRAME;
    answer->frame = &other;
    break;
  case WRONG_PLANE: case WRONG_COLOR: case MANY_PLANES: case EMPTY_PLANE:
    other = *output;
    if (DEED == WRONG_PLANE) other.planes[0].width /= 2;
    if (DEED == WRONG_COLOR) other.transfer = 16;
    if (DEED == MANY_PLANES) other.plane_count = 1000000;
    if (DEED == EMPTY_PLANE) other.planes[1].data = NULL;
    answer->kind = COMPOSITOR_ANSWER_FRAME;
    answer->frame = &other;
    break;
  case WRONG_TRACK:
    answer->kind = COMPOSITOR_ANSWER_SOURCE;
    answer->track = 4711;
    break;
  case LEAK: {
    // Volatile, or a compiler sees that nobody reads it and asks for no memory at all.
    volatile char *memory = malloc(16 << 20);
    for (int i = 0; i < 16 << 20; i += 4096) memory[i] = (char)i;
    break;
  }
  case PRINT: printf("\033]0;owned\007{\"event\":\"done\"}\n"); break;
  case LOCALE: setlocale(LC_ALL, "C.UTF-8"); break;
  case ROUNDING: fesetround(FE_TOWARDZERO); break;
  case OWN_HANDLER: signal(SIGSYS, SIG_IGN); signal(SIGSYS, nothing);  // and then:
  case FORK:
    if (fork() == 0) {
      setsid();
      for (;;) pause();
    }
    break;
  case WRITE_SOURCE: *(volatile uint8_t *)request->sources[0]->frame->planes[0].data = 1; break;
  case UNLOCK_SOURCE: {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)request->sources[0]->frame->planes[0].data / page * page);
    return said(error, mprotect(start, page, PROT_READ | PROT_WRITE));
  }
  case REOPEN_SOURCE:
    for (int number = 0; number < 1024; number++) {
      char path[64], target[256] = "";
      snprintf(path, sizeof path, "/proc/self/fd/%d", number);
      if (readlink(path, target, sizeof target - 1) > 0 && strstr(target, "compositor-frame")) return said(error, open(path, O_RDWR));
    }
    snprintf(error->text, error->capacity, "no frame is open");
    return COMPOSITOR_FAILED;
  case STALE_OUTPUT:
    if (stale && stale != output->planes[0].data) *stale = 1;
    break;
  case SIGNAL_PARENT:
    kill(getppid(), SIGKILL);
    kill(0, SIGKILL);
    for (;;) pause();
  case READ_FILE: return said(error, open(PLACE, O_RDONLY));
  case WRITE_FILE: return said(error, open(PLACE, O_WRONLY | O_CREAT, 0600));
  case CONNECT: return said(error, socket(AF_INET, SOCK_STREAM, 0));
  case SHARED_MEMORY: {
    const int file = memfd_create("more", 0);
    if (file >= 0) return said(error, file);
    return said(error, mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  }
  case STEAL_SOURCE:
    if (opened) memset((void *)opened, 0, 4096);
    if (request->time.value * 25 / request->time.timescale < FRAME + 30) break;
    snprintf(error->text, error->capacity, "saw sources %d, opened %d", stolen > 0, opened != NULL);
    return COMPOSITOR_FAILED;
  case UNMAP_OUTPUT: {
    const uintptr_t start = ((uintptr_t)output->planes[0].data + 4095) / 4096 * 4096;
    munmap((void *)start, 4096);
    break;
  }
  case SCRIBBLE: scribble(output->planes[0].data); break;
  case TERMINAL: {
    char letter = 'x';
    snprintf(error->text, error->capacity, "terminal %d, typed %d, opened %d", isatty(2), ioctl(2, TIOCSTI, &letter) == 0,
             open("/dev/tty", O_RDONLY) >= 0);
    return COMPOSITOR_FAILED;
  }
  case ESCAPES: fprintf(stderr, "\033]0;owned\007\033[31mred\x9b 2J\rand\b\xe2\x80\xae turned\n"); break;
  case FLOOD: for (int i = 0; i < 100000; i++) fprintf(stderr, "line %d of very many\n", i); break;
  case DRIP:
    for (const char *bytes = "COMP\100\3";; usleep(200000)) send(CHANNEL, bytes, 1, MSG_NOSIGNAL);
  // Beside the stream: each wakes the host, which finds nothing to read.
  case URGENT: for (;;) {
    send(CHANNEL, "x", 1, MSG_OOB | MSG_NOSIGNAL);
    usleep(400000);
  }
  case FORGE: forge(0, sizeof(struct forged)); break;
  case LONG_ANSWER:
    forge(32 << 20, sizeof(struct forged));
    for (;;) pause();
  case SEND_DESCRIPTORS: send_descriptors(); break;
  case OWNER: {
    int ends[2];
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};
    if (pipe(ends) != 0) return said(error, -1);
    snprintf(error->text, error->capacity, "owner %d, signal %d, asynchronous %d", fcntl(ends[0], F_SETOWN_EX, &owner) == 0,
             fcntl(ends[0], F_SETSIG, SIGKILL) == 0, fcntl(ends[0], F_SETFL, O_ASYNC) == 0);
    return COMPOSITOR_FAILED;
  }
  case PRIVILEGES:
    snprintf(error->text, error->capacity, "privileges %d", capabilities());
    return COMPOSITOR_FAILED;
  case GROW_DOWN:
    return said(error, mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) == MAP_FAILED ? -1 : 0);
  case PAGE_TABLES: {
    const size_t length = (size_t)1 << 40;
    volatile char *space = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((void *)space == MAP_FAILED) return said(error, -1);
    for (size_t i = 0; i < length; i += 2 << 20) (void)space[i];
    break;
  }
  case THREADS: start_threads(); break;
  case DESCRIPTORS:
    while (dup(0) >= 0) {}
    break;
  case CANCEL_ITSELF: return COMPOSITOR_CANCELLED;
  case FAIL:
    snprintf(error->text, error->capacity, "I do not feel like it");
    return COMPOSITOR_FAILED;
  case LONG_ERROR:
    memset(error->text, 27, error->capacity);
    return COMPOSITOR_FAILED;
  case CALLS: return make_calls(PLACE, error);
  case CALL_ONE: syscall(NUMBER, -1, -1, -1, -1, -1, -1); break;
  case CHANGE_MODE: return said(error, chmod(PLACE, 0777));
  case CHANGE_TIME: return said(error, utimensat(AT_FDCWD, PLACE, NULL, 0));
  case DENIED_LOOP:
    for (;;) socket(AF_INET, SOCK_STREAM, 0);
  case WATCH: return said(error, inotify_add_watch(inotify_init1(0), PLACE, IN_ALL_EVENTS));
  case OUTLIVE:
    // Without the signal that ends it with its parent, and under another name.
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "kworker/0:1");
    for (;;) usleep(1000);
  case WAIT:
    while (!request->is_cancelled(request->host_data)) usleep(1000);
    return COMPOSITOR_CANCELLED;
  }
  return COMPOSITOR_OK;
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance;
  const CompositorFrame *output = request->output;
  for (int32_t p = 0; p < output->plane_count; p++)
    for (int32_t y = 0; y < output->planes[p].height; y++)
      memset((uint8_t *)output->planes[p].data + y * output->planes[p].stride, 128, (size_t)output->planes[p].width);
  const int64_t frame = request->time.value * 25 / request->time.timescale;
  const int32_t result = frame >= FRAME ? misbehave(request, answer, error) : COMPOSITOR_OK;
  if (!stale) stale = output->planes[0].data;
  return result;
}

static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
  (void)instance, (void)needs, (void)error;
  if (request->time.value * 25 / request->time.timescale < FRAME) return COMPOSITOR_OK;
  if (DEED == NEEDS_CRASH) *(volatile int *)8 = 1;
  for (;;) pause();
}

static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.hostile", .name = "Hostile", .version = "1.0.0",
  .summary = "Breaks a rule.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE,
  .concurrency = CONCURRENCY, .output_formats = formats,
  .create = create, .destroy = destroy, .render = render,
  .needs = DEED == NEEDS_CRASH || DEED == NEEDS_HANG ? needs : NULL};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "hostile",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  if (DEED == STEAL_SOURCE) dl_iterate_phdr(replace_receiving, NULL);
  return &plugin;
}
