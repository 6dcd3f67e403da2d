// A plugin that takes memory in one WAY, as much as it can, when it is asked for its second frame.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 4 << 20, PAGE = 4096 };
// More than any limit of a test, so that a plugin that is not stopped ends by itself.
static const size_t most = (size_t)4 << 30;

static int denied(const char *what) {
  fprintf(stderr, "greedy: denied %s: %s\n", what, strerror(errno));
  return -1;
}

static void touch(volatile char *memory, size_t count) {
  for (size_t i = 0; i < count; i += PAGE) memory[i] = (char)(i | 1);
}

static int by_heap(void) {
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    char *memory = malloc(BLOCK);
    if (!memory) return denied("heap");
    touch(memory, BLOCK);
  }
  return 0;
}

static int by_mapping(int flags) {
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    void *memory = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return denied("mapping");
    touch(memory, BLOCK);
  }
  return 0;
}

// Reading maps the kernel's page of zeros; the table that says so is memory.
static int by_page_tables(void) {
  const size_t length = (size_t)1 << 41;
  volatile char *space = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if ((void *)space == MAP_FAILED) return denied("address space");
  for (size_t i = 0; i < length; i += 2 << 20) (void)space[i];
  return 0;
}

// Neither exceeds a limit of 1 GiB alone.
static int by_both(void) {
  const size_t private_size = (size_t)940 << 20, length = (size_t)49 << 30;
  char *memory = mmap(NULL, private_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return denied("mapping");
  touch(memory, private_size);
  volatile char *space = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if ((void *)space == MAP_FAILED) return denied("address space");
  for (size_t i = 0; i < length; i += 2 << 20) (void)space[i];
  sleep(2);
  return 0;
}

static int by_protection(void) {
  char *space = mmap(NULL, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return denied("address space");
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    if (mprotect(space + sum, BLOCK, PROT_READ | PROT_WRITE) != 0) return denied("protection");
    touch(space + sum, BLOCK);
  }
  return 0;
}

static int by_file_in_memory(void) {
  static char block[BLOCK];
  for (size_t sum = 0; sum < most;) {
    const int file = (int)syscall(SYS_memfd_create, "more", 0);
    if (file < 0) return denied("file in memory");
    for (int i = 0; i < 32 && write(file, block, BLOCK) == BLOCK; i++) sum += BLOCK;
  }
  return 0;
}

static int by_device(void) {
  const int zero = open("/dev/zero", O_RDONLY);
  if (zero < 0) return denied("device");
  volatile char *memory = mmap(NULL, most, PROT_READ, MAP_SHARED, zero, 0);
  if ((void *)memory == MAP_FAILED) return denied("device");
  for (size_t i = 0; i < most; i += PAGE) (void)memory[i];
  return 0;
}

static int by_old_shared_memory(void) {
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    const int made = shmget(IPC_PRIVATE, BLOCK, IPC_CREAT | 0600);
    char *memory = made < 0 ? (void *)-1 : shmat(made, NULL, 0);
    if (memory == (void *)-1) return denied("shared memory");
    shmctl(made, IPC_RMID, NULL);
    touch(memory, BLOCK);
  }
  return 0;
}

static int by_sockets(void) {
  static char block[1 << 16];
  int ends[2];
  for (size_t sum = 0; sum < most;) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return denied("sockets");
    while (send(ends[0], block, sizeof block, MSG_DONTWAIT) > 0) sum += sizeof block;
  }
  return 0;
}

static int by_break(void) {
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    char *memory = sbrk(BLOCK);
    if (memory == (void *)-1) return denied("break");
    touch(memory, BLOCK);
  }
  return 0;
}

static int by_growing(void) {
  size_t length = BLOCK;
  char *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (; length < most; length += BLOCK) {
    memory = mremap(memory, length, length + BLOCK, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) return denied("growth");
    touch(memory + length, BLOCK);
  }
  return 0;
}

static void *use_stack(void *unused) {
  (void)unused;
  volatile char memory[3 << 20];
  touch(memory, sizeof memory);
  for (;;) pause();
}

static int by_stacks(void) {
  pthread_t thread;
  for (int i = 0; i < 480; i++)
    if ((errno = pthread_create(&thread, NULL, use_stack, NULL)) != 0) return denied("threads");
  sleep(2);
  return 0;
}

// Signals that wait are a share of the user, not of the process.
static int by_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int count = 0; count < 1000; count++) {
    if (syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGRTMIN + 1) == 0) continue;
    fprintf(stderr, "greedy: %d signals wait\n", count);
    return denied("signals");
  }
  return 0;
}

// So are descriptors that were sent and that nobody has received yet.
static int by_descriptors(void) {
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control = {{0}};
  char byte = 0;
  struct iovec vector = {&byte, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
  memcpy(CMSG_DATA(header), &(int){STDERR_FILENO}, sizeof(int));
  for (int count = 0; count < 1000; count++) {
    // The host's messages arrive there.
    if (sendmsg(5, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) continue;
    fprintf(stderr, "greedy: %d descriptors wait\n", count);
    return denied("descriptors");
  }
  return 0;
}

// Descriptors that are watched take memory of the kernel's, of which the user has a share.
static int by_watches(void) {
  int instances[10], numbers[100];
  const int watched = eventfd(0, 0);
  for (int i = 0; i < 10; i++) instances[i] = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < 100; i++) numbers[i] = dup(watched);
  struct epoll_event event = {.events = EPOLLIN};
  for (int count = 0; count < 1000; count++) {
    if (epoll_ctl(instances[count / 100], EPOLL_CTL_ADD, numbers[count % 100], &event) == 0) continue;
    fprintf(stderr, "greedy: %d watches wait\n", count);
    return denied("watches");
  }
  return 0;
}

// A byte of a frame that the host lent.
static const void *lent;

// Pages that cannot be written any more count toward no limit of the kernel's.
static int by_protected_pages(void) {
  for (size_t sum = 0; sum < most; sum += BLOCK) {
    char *memory = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return denied("mapping");
    touch(memory, BLOCK);
    if (mprotect(memory, BLOCK, PROT_READ) != 0) return denied("protection");
  }
  return 0;
}

// Reading about very many mappings takes longer than filling memory.
static int by_pages_made_read_only(void) {
  void *frame = (void *)((uintptr_t)lent / PAGE * PAGE);
  for (int i = 0; i < 60000; i++) {
    volatile char *copy = mremap(frame, 0, 3 * PAGE, MREMAP_MAYMOVE);
    if ((void *)copy == MAP_FAILED) return denied("copies");
    for (int page = 0; page < 3; page++) (void)copy[page * PAGE];
  }
  return by_protected_pages();
}

// Messages that a stalled terminal does not take come first.
static int by_messages_and_pages(void) {
  for (int i = 0; i < 64; i++) fprintf(stderr, "%01000d\n", i);
  usleep(300000);
  return by_protected_pages();
}

static int take(void) {
  switch (WAY) {
  case 1: return by_heap();
  case 2: return by_mapping(MAP_PRIVATE);
  case 3: return by_page_tables();
  case 4: return by_protection();
  case 5: return by_growing();
  case 6: return by_break();
  case 7: return by_stacks();
  case 8: return by_file_in_memory();
  case 9: return by_mapping(MAP_SHARED);
  case 10: return by_device();
  case 11: return by_old_shared_memory();
  case 12: return by_sockets();
  // In a thread of its own, when the first one is gone: 13 and 14.
  case 13: return by_page_tables();
  case 15: return by_both();
  case 16: return by_signals();
  case 17: return by_descriptors();
  case 19: return by_pages_made_read_only();
  case 20: return by_watches();
  case 21: return by_messages_and_pages();
  default: return by_mapping(MAP_PRIVATE);
  }
}

static void *go_on(void *unused) {
  (void)unused;
  usleep(300000);
  take();
  for (;;) pause();
}

static void *stay(void *unused) {
  (void)unused;
  for (;;) pause();
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)instance, (void)error;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  if (WAY == 18) {
    pthread_t thread;
    pthread_create(&thread, NULL, stay, NULL);
    return COMPOSITOR_OK;
  }
  if (request->time.value == 0) return COMPOSITOR_OK;
  lent = request->sources[0]->frame->planes[0].data;
  if (WAY == 13 || WAY == 14) {
    pthread_t thread;
    pthread_create(&thread, NULL, go_on, NULL);
    // Only this thread ends.
    syscall(SYS_exit, 0);
  }
  snprintf(error->text, error->capacity, take() == 0 ? "took all" : "was denied");
  return COMPOSITOR_FAILED;
}

static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.greedy", .name = "Greedy", .version = "1.0.0",
  .summary = "Takes memory.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE,
  .concurrency = COMPOSITOR_SERIAL, .output_formats = formats, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "greedy",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
