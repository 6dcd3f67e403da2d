// Compositors that halve their source's codes, each with one carelessness that `plugins check` has to find; the first has none.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum Deed {
  NOTHING, SLOW, SMALL_LEAK, INSTANCE_LEAK, FILE_LEAK, STATIC_ROW, STATIC_PARAMETER, EARLIER_FRAME, CLOCK, TIME, BESIDE_ROWS, SOURCE_PADDING,
  EVEN_CHROMA, LATE_CANCELLATION, VALUE_OF_CREATE, NARROW_BUFFER, ALPHA, THREAD_LEFT, LAZY_TABLE, ANIMATED,
  WORKING_FOLDER, FILE_MASK, ENVIRONMENT, TIMER, ENDLESS_EXIT, DEED_COUNT
};
static const char *const ids[DEED_COUNT] = {
  "careful.nothing", "careful.slow", "careless.small-leak", "careless.instance-leak", "careless.file-leak", "careless.static-row",
  "careless.static-parameter", "careless.earlier-frame", "careless.clock", "careless.time", "careless.beside-rows",
  "careless.source-padding", "careless.even-chroma", "careless.late-cancellation", "careless.value-of-create", "careless.narrow-buffer",
  "careless.alpha", "careless.thread-left", "careless.lazy-table", "careful.animated",
  "careless.working-folder", "careless.file-mask", "careless.environment", "careless.timer", "careless.endless-exit"};

typedef struct Instance {
  enum Deed deed;
  double strength;
  uint8_t earlier;
} Instance;

static double latest_strength;
static uint8_t shared_row[1 << 16];

static void *lose(size_t byte_count) {
  volatile char *lost = malloc(byte_count);
  if (lost) lost[0] = 1;
  return (void *)lost;
}

static void *rest(void *unused) {
  (void)unused;
  for (;;) pause();
}

static void go_on(void) { rest(NULL); }

// Changes the process once, and leaves it so.
static void change_process(enum Deed deed) {
  static int is_changed;
  if (is_changed++) return;
  const struct itimerval hour = {.it_value = {.tv_sec = 3600}};
  if (deed == WORKING_FOLDER && chdir("/usr/lib") != 0) abort();
  if (deed == FILE_MASK) umask(0111);
  if (deed == ENVIRONMENT) setenv("CARELESS", "1", 1);
  if (deed == TIMER) setitimer(ITIMER_REAL, &hour, NULL);
  if (deed == ENDLESS_EXIT) atexit(go_on);
}

// Prepared on first use, and used by another thread before it is ready.
static const uint8_t *table(void) {
  static uint8_t codes[256];
  static int is_ready;
  if (!is_ready) {
    is_ready = 1;
    usleep(3000);
    for (int i = 0; i < 256; i++) codes[i] = (uint8_t)(i / 2);
  }
  return codes;
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **made, CompositorErrorText *error) {
  (void)context, (void)error;
  static int instances;
  Instance *instance = calloc(1, sizeof *instance);
  if (!instance) return COMPOSITOR_OUT_OF_MEMORY;
  instance->deed = (enum Deed)((const char *const *)self->data - ids);
  instance->strength = latest_strength = count ? parameters[0]->number : 0.5;
  if (instance->deed >= WORKING_FOLDER) change_process(instance->deed);
  if (instance->deed == INSTANCE_LEAK) lose(64);
  if (instance->deed == THREAD_LEFT && instances++ % 16 == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, rest, NULL);
  }
  if (instance->deed == FILE_LEAK && instances++ % 16 == 0) open("/dev/null", O_RDONLY);
  *made = instance;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { free(instance); }

// Nothing more than a plugin may do: careless, not hostile.
static void halve(const Instance *instance, const CompositorFrame *from, const CompositorFrame *to, int32_t p, double now) {
  const double strength = instance->deed == STATIC_PARAMETER ? latest_strength : instance->deed == ANIMATED ? now : instance->strength;
  const int is_packed = to->layout == COMPOSITOR_PACKED_RGBA;
  int32_t width = to->planes[p].width * (is_packed ? 4 : 1), height = to->planes[p].height;
  if (instance->deed == EVEN_CHROMA && p > 0) { width = to->width / 2; height = to->height / 2; }
  uint8_t own_row[1 << 16];
  uint8_t *row = instance->deed == STATIC_ROW ? shared_row : own_row;
  for (int32_t y = 0; y < height; y++) {
    uint8_t *in = (uint8_t *)from->planes[p].data + y * from->planes[p].stride;
    uint8_t *out = (uint8_t *)to->planes[p].data + y * to->planes[p].stride;
    const uint8_t *codes = instance->deed == LAZY_TABLE ? table() : NULL;
    for (int32_t x = 0; x < width; x++) {
      // Alpha stays what it is.
      if (is_packed && x % 4 == 3 && instance->deed != ALPHA) row[x] = in[x];
      else row[x] = codes ? codes[in[x]] : (uint8_t)(in[x] * strength);
    }
    // A machine at work lets few calls meet by chance.
    if (instance->deed == STATIC_ROW && y % 8 == 0) sched_yield();
    memcpy(out, row, (size_t)width);
    if (instance->deed == BESIDE_ROWS && is_packed) out[width] = 1;
    if (instance->deed == SOURCE_PADDING && from->planes[p].stride > width) in[width] = 1;
  }
}

static int32_t render(void *data, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)answer, (void)error;
  Instance *instance = data;
  const CompositorFrame *source = request->sources[0]->frame, *output = request->output;
  const int is_large = output->width > 1000;
  if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
  // As one that writes to a row of its own of 2048 pixels.
  if (instance->deed == NARROW_BUFFER && output->width > 2048) abort();
  if (instance->deed == SMALL_LEAK) lose(200);
  if (instance->deed == LATE_CANCELLATION && is_large) usleep(1500000);
  if (instance->deed == SLOW)
    for (int i = 0; i < (is_large ? 1000 : 4); i++) {
      usleep(1000);
      if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
    }
  for (int32_t p = 0; p < output->plane_count; p++) halve(instance, source, output, p, request->parameter_count ? request->parameters[0]->number : 0.5);
  uint8_t *first = output->planes[0].data;
  if (instance->deed == CLOCK) *first = (uint8_t)time(NULL);
  if (instance->deed == TIME) *first = (uint8_t)(request->time.value * 24 / request->time.timescale);
  if (instance->deed == EARLIER_FRAME) {
    const uint8_t now = *first;
    *first = instance->earlier;
    instance->earlier = now;
  }
  return COMPOSITOR_OK;
}

static const CompositorParameter half = {.struct_size = sizeof half, .kind = COMPOSITOR_NUMBER, .number = 0.5};
static const CompositorParameterDescription strength = {
  .struct_size = sizeof strength, .key = "strength", .summary = "How much of it is left.", .kind = COMPOSITOR_NUMBER, .minimum = 0,
  .maximum = 1, .default_value = &half};
static const CompositorParameterDescription *const parameters[] = {&strength};
static const CompositorParameterDescription moving = {
  .struct_size = sizeof moving, .key = "strength", .summary = "How much of it is left.", .kind = COMPOSITOR_NUMBER, .minimum = 0,
  .maximum = 1, .default_value = &half, .is_animatable = 1};
static const CompositorParameterDescription *const moving_parameters[] = {&moving};
static const char *const formats[] = {"yuv420p", "rgba", NULL};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  static CompositorDescription descriptions[DEED_COUNT];
  static const CompositorDescription *list[DEED_COUNT];
  for (int i = 0; i < DEED_COUNT; i++) {
    descriptions[i] = (CompositorDescription){
      .struct_size = sizeof(CompositorDescription), .id = ids[i], .name = "Careless", .version = "1.0.0", .summary = "Halves codes.",
      .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE,
      // All but four are serial: what is wrong with them shows in one call at a time.
      .concurrency = i == STATIC_ROW || i == LAZY_TABLE || i == NOTHING || i == ANIMATED ? COMPOSITOR_CONCURRENT : COMPOSITOR_SERIAL, .output_formats = formats,
      .parameter_count = 1, .parameters = i == VALUE_OF_CREATE || i == ANIMATED ? moving_parameters : parameters, .role = COMPOSITOR_ROLE_EFFECT, .is_time_invariant = i == TIME, .data = &ids[i],
      .create = create, .destroy = destroy, .render = render};
    list[i] = &descriptions[i];
  }
  static CompositorPlugin plugin;
  plugin = (CompositorPlugin){
    .struct_size = sizeof plugin, .abi_version = COMPOSITOR_ABI_VERSION, .name = "careless",
    .version = "1.0.0", .compositor_count = DEED_COUNT, .compositors = list};
  return &plugin;
}
