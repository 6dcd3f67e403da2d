// Deeds that reach for what lies around a plugin: its channel to the host, the terminal, memory, threads, descriptors.
#include <pthread.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

// The channel to the host, which no module should know of.
enum { CHANNEL = 3 };

// A header as the host and its helper use it: mark, kind 64 (done), version, length and number.
struct forged { uint32_t mark; uint8_t kind, version; uint16_t zero; uint64_t length, number; };

static void forge(uint64_t length, size_t count) {
  const struct forged header = {0x504d4f43u, 64, 2, 0, length, 1};
  char bytes[64] = {0};
  memcpy(bytes, &header, sizeof header);
  send(CHANNEL, bytes, count, MSG_NOSIGNAL);
}

// Looks at what comes before the host's own code takes it, and keeps the descriptors of frames.
static volatile int stolen = -1;
static volatile char *volatile opened;
static void *steal(void *unused) {
  (void)unused;
  for (;;) {
    char bytes[1];
    union { struct cmsghdr header; char space[256]; } control;
    struct iovec vector = {bytes, 1};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    if (recvmsg(CHANNEL, &message, MSG_PEEK | MSG_DONTWAIT) <= 0) continue;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS) continue;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    // Outputs are ours to write; sources come read-only.
    if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY) { close(descriptor); continue; }
    stolen = descriptor;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    fchmod(descriptor, 0600);
    int again = open(path, O_RDWR);
    if (again < 0) again = descriptor;
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
    if (memory != MAP_FAILED) opened = memory;
  }
  return NULL;
}

// Every writable mapping of frames but those of the one that is being asked for.
static void scribble(const uint8_t *own) {
  char line[512];
  unsigned long own_file = 0;
  for (int turn = 0; turn < 2; turn++) {
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
      unsigned long start, end, file;
      char access[8];
      if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, access, &file) != 4 || !strstr(line, "compositor-frame")) continue;
      if (turn == 0 && (uintptr_t)own >= start && (uintptr_t)own < end) own_file = file;
      if (turn == 1 && file != own_file && access[1] == 'w') memset((void *)start, 7, end - start);
    }
    if (maps) fclose(maps);
  }
}

static void *sleep_for_ever(void *unused) {
  (void)unused;
  for (;;) pause();
  return NULL;
}

static void start_threads(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  for (int i = 0; i < 5000; i++)
    if (pthread_create(&thread, &attributes, sleep_for_ever, NULL) != 0) break;
  sleep(2);
}

static int capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  return data[0].permitted || data[1].permitted || data[0].effective ? 1 : 0;
}

// Makes each call of the list in its own folder, and says which are let through: lines of a number, an error and six arguments.
static int32_t make_calls(const char *list, CompositorErrorText *error) {
  FILE *file = fopen(list, "r");
  if (!file) return snprintf(error->text, error->capacity, "no list"), COMPOSITOR_FAILED;
  long number, expected, a[6];
  int count = 0, let = 0;
  char names[512] = "";
  while (fscanf(file, "%ld %ld %ld %ld %ld %ld %ld %ld", &number, &expected, a, a + 1, a + 2, a + 3, a + 4, a + 5) == 8) {
    count++;
    const long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result != -1 || errno != expected) {
      let++;
      const size_t length = strlen(names);
      snprintf(names + length, sizeof names - length, " %ld(%ld,%d)", number, result, errno);
    }
  }
  fclose(file);
  snprintf(error->text, error->capacity, "made %d calls, %d were let through:%s", count, let, names);
  return COMPOSITOR_FAILED;
}
