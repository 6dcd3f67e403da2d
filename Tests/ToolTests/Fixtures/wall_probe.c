// A plugin that tries, in its second frame, what the walls around it should deny, and says on the standard error stream how that went:
// lines of "probe: WHAT OUTCOME". PROBE 1: everything that a process survives; 2: start a process; 3: signal all others; 4: see
// processes, in every process that makes a frame, and make frames slowly, so that there are several.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *what, const char *outcome) { fprintf(stderr, "probe: %s %s\n", what, outcome); }
static void tried(const char *what, int is_done) { tell(what, is_done ? "possible" : "denied"); }

static void reach_the_network(void) {
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (made < 0) return tried("socket", 0);
  const int is_sent = sendto(made, "x", 1, 0, (struct sockaddr *)&place, sizeof place) == 1;
  tell("socket", is_sent ? "possible" : errno == ENETUNREACH ? "possible, without interfaces" : "denied");
}

// A file of another kind is in the place of one that is covered.
static void reach_a_program(const char *name) {
  const int made = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un place = {.sun_family = AF_UNIX};
  snprintf(place.sun_path, sizeof place.sun_path, FOLDER "/%s", name);
  if (made < 0) return tried(name, 0);
  const int is_connected = connect(made, (struct sockaddr *)&place, sizeof place) == 0;
  tell(name, is_connected ? "possible" : errno == ECONNREFUSED ? "not there" : "denied");
}

static void read_a_key(void) {
  const long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "compositor-probe", 0);
  tell("key", key >= 0 ? "possible" : errno == ENOKEY ? "not there" : "denied");
}

static void own_a_pipe(void) {
  int ends[2];
  // In a process namespace of its own a plugin's parent has no number, and others have none either.
  struct f_owner_ex owner = {F_OWNER_PID, getppid() > 0 ? getppid() : getpid()};
  const int is_set = pipe(ends) == 0 && fcntl(ends[0], F_SETOWN_EX, &owner) == 0 && fcntl(ends[0], F_SETSIG, SIGKILL) == 0;
  tell("owner", !is_set ? "denied" : getppid() > 0 ? "possible" : "possible, of its own processes");
}

static void have_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {{0}};
  const int result = (int)syscall(SYS_capget, &header, data);
  tell("capabilities", result == 0 && !data[0].permitted && !data[1].permitted ? "none" : "possible");
}

static void see_processes(void) {
  DIR *folder = opendir("/proc");
  long other = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    const long number = strtol(entry->d_name, NULL, 10);
    if (number > 0 && number != getpid()) other = number;
  }
  if (folder) closedir(folder);
  tell("list", !folder ? "denied" : other ? "possible" : "not there");
  if (!other) return tell("environment", "not there");
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/environ", other);
  tried("environment", open(path, O_RDONLY) >= 0);
}

static void probe(void) {
  tried("read", open(SECRET, O_RDONLY) >= 0);
  tried("write", open(SECRET ".new", O_WRONLY | O_CREAT, 0600) >= 0);
  tried("mode", chmod(SECRET, 0644) == 0);
  tried("watch", inotify_add_watch(inotify_init1(0), SECRET, IN_ALL_EVENTS) >= 0);
  reach_the_network();
  reach_a_program("listed");
  reach_a_program("renamed");
  read_a_key();
  own_a_pipe();
  have_capabilities();
  tried("grow", mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) != MAP_FAILED);
  see_processes();
  // Memory that no process is said to have: the file is not mapped.
  const int file = (int)syscall(SYS_memfd_create, "compositor-frame", 0);
  tried("memory", file >= 0 && (ftruncate(file, 1 << 20) == 0 || write(file, "x", 1) == 1));
}

static void start_a_process(void) {
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  tell("process", "possible");
}

static void signal_others(void) {
  const int all = kill(-1, SIGKILL), group = kill(0, SIGKILL), parent = getppid() > 0 ? kill(getppid(), SIGKILL) : -1;
  tried("signal", all == 0 || group == 0 || parent == 0);
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)error;
  static int is_done, has_seen;
  if (PROBE == 4) {
    if (!__atomic_exchange_n(&has_seen, 1, __ATOMIC_RELAXED)) see_processes();
    usleep(150000);
  }
  if (request->time.value > 0 && !is_done) {
    is_done = 1;
    if (PROBE == 1) probe();
    if (PROBE == 2) start_a_process();
    if (PROBE == 3) signal_others();
  }
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.probe", .name = "Probe", .version = "1.0.0",
  .summary = "Tries what it must not do.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE,
  .concurrency = PROBE == 4 ? COMPOSITOR_CONCURRENT : COMPOSITOR_SERIAL, .output_formats = formats, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "probe",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
