// Compositors that keep something from a call: open files, a table of the first value, a signal handler; each form has a careful twin.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum What { NOTHING, FILES, PIPES, CLOSED, ONE_FILE, TABLE, HANDLER, RESTORED, INDEX, START, SOURCE_ONLY };
enum Where { NOWHERE, STATIC, THREAD, INSTANCE, STATIC_CREATE, BY_VALUE, BY_VALUE_THREAD, BY_VALUE_INSTANCE, CREATE };

typedef struct Form {
  const char *id;
  enum What what;
  enum Where where;
  int frames, instances;        // one file after so many of them; negative: so many files in each
  int is_animatable, is_second; // of the parameter; whether it is the second of two
  const char *key;
  int role, is_slow;
} Form;

static const Form forms[] = {
  {"left.file-frame", FILES, .frames = 1}, {"left.file-instance", FILES, .instances = 1},
  {"left.file-twice", FILES, .frames = -2}, {"left.file-rarely", FILES, .frames = 20},
  {"left.pipe-frame", PIPES, .frames = 1}, {"left.pipe-instance", PIPES, .instances = 1},
  {"left.pipe-twice", PIPES, .frames = -2}, {"left.pipe-rarely", PIPES, .frames = 20},
  {"left.file-slow", FILES, .frames = 1, .is_slow = 1}, {"closed.slow", CLOSED, .is_slow = 1},
  {"closed.files", CLOSED}, {"closed.one", ONE_FILE},
  {"kept.static", TABLE, STATIC, .is_animatable = 1}, {"kept.thread", TABLE, THREAD, .is_animatable = 1},
  {"kept.instance", TABLE, INSTANCE, .is_animatable = 1}, {"kept.create", TABLE, STATIC_CREATE, .is_animatable = 1},
  {"kept.fixed-static", TABLE, STATIC}, {"kept.fixed-thread", TABLE, THREAD}, {"kept.fixed-create", TABLE, STATIC_CREATE},
  {"kept.second", TABLE, STATIC, .is_animatable = 1, .is_second = 1},
  {"fresh.static", TABLE, BY_VALUE, .is_animatable = 1}, {"fresh.thread", TABLE, BY_VALUE_THREAD, .is_animatable = 1},
  {"fresh.instance", TABLE, BY_VALUE_INSTANCE, .is_animatable = 1}, {"fresh.create", TABLE, CREATE},
  {"fresh.second", TABLE, BY_VALUE, .is_animatable = 1, .is_second = 1},
  {"signal.handler", HANDLER}, {"signal.restored", RESTORED},
  {"invariant.index", INDEX}, {"invariant.start", START}, {"invariant.source", SOURCE_ONLY},
  {"key.use", .key = "use"}, {"key.mask", .key = "mask"}, {"key.at", .key = "at"}, {"key.duration", .key = "duration"},
  {"key.compositor", .key = "compositor"}, {"key.parameters", .key = "parameters"}, {"key.radius", .key = "radius"},
  {"key.transition", .key = "duration", .role = COMPOSITOR_ROLE_TRANSITION},
};
enum { COUNT = sizeof forms / sizeof *forms };

typedef struct Table {
  int is_made;
  double value;
  uint8_t codes[256];
} Table;

typedef struct Instance {
  const Form *form;
  Table table;
} Instance;

static Table shared;
static __thread Table of_thread;

static void make(Table *table, double value) {
  table->is_made = 1;
  table->value = value;
  for (int i = 0; i < 256; i++) table->codes[i] = (uint8_t)(i * value);
}

static void open_one(const Form *form) {
  if (form->what == FILES) open("/dev/null", O_RDONLY);
  int ends[2];
  if (form->what == PIPES && pipe(ends) == 0) return;
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **made, CompositorErrorText *error) {
  (void)context, (void)error;
  Instance *instance = calloc(1, sizeof *instance);
  if (!instance) return COMPOSITOR_OUT_OF_MEMORY;
  instance->form = self->data;
  const double value = parameters[count - 1]->number;
  if (instance->form->instances) open_one(instance->form);
  if (instance->form->where == STATIC_CREATE && !shared.is_made) make(&shared, value);
  if (instance->form->where == CREATE) make(&instance->table, value);
  *made = instance;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { free(instance); }
static void handle(int number) { (void)number; }

static const Table *table(Instance *instance, double value) {
  static Table another;
  switch (instance->form->where) {
  case STATIC: if (!shared.is_made) make(&shared, value); return &shared;
  case THREAD: if (!of_thread.is_made) make(&of_thread, value); return &of_thread;
  case INSTANCE: if (!instance->table.is_made) make(&instance->table, value); return &instance->table;
  case BY_VALUE: if (!another.is_made || another.value != value) make(&another, value); return &another;
  case BY_VALUE_THREAD: if (!of_thread.is_made || of_thread.value != value) make(&of_thread, value); return &of_thread;
  case BY_VALUE_INSTANCE: if (instance->table.value != value) make(&instance->table, value); return &instance->table;
  case CREATE: return &instance->table;
  case STATIC_CREATE: return &shared;
  case NOWHERE: break;
  }
  return NULL;
}

static int32_t render_alone(void *data, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)answer, (void)error;
  Instance *instance = data;
  const Form *form = instance->form;
  static int frames, kept = -1;
  frames++;
  if (form->is_slow) usleep(25000);
  if (form->frames > 0 && frames % form->frames == 0) open_one(form);
  for (int i = form->frames; i < 0; i++) open_one(form);
  if (form->what == CLOSED) close(open("/dev/null", O_RDONLY));
  if (form->what == ONE_FILE && kept < 0) kept = open("/dev/null", O_RDONLY);
  void (*before)(int) = form->what == HANDLER || form->what == RESTORED ? signal(SIGUSR1, handle) : SIG_DFL;
  if (form->what == RESTORED) signal(SIGUSR1, before);
  const CompositorFrame *source = request->sources[0]->frame, *output = request->output;
  const Table *codes = table(instance, request->parameters[request->parameter_count - 1]->number);
  for (int32_t p = 0; p < output->plane_count; p++)
    for (int32_t y = 0; y < output->planes[p].height; y++) {
      const uint8_t *in = (uint8_t *)source->planes[p].data + y * source->planes[p].stride;
      uint8_t *out = (uint8_t *)output->planes[p].data + y * output->planes[p].stride;
      memcpy(out, in, (size_t)output->planes[p].width);
      if (codes) for (int32_t x = 0; x < output->planes[p].width; x++) out[x] = codes->codes[in[x]];
    }
  uint8_t *first = output->planes[0].data;
  if (form->is_second) *first = (uint8_t)(16 + 100 * request->parameters[0]->number);
  if (form->what == INDEX) *first = (uint8_t)request->instruction_index;
  if (form->what == START) *first = (uint8_t)(request->instruction_start.value + 16);
  return COMPOSITOR_OK;
}

// Instances render side by side: what a careful one shares with others, it locks.
static int32_t render(void *data, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const CompositorFrame *source = request->source_count > 0 ? request->sources[0]->frame : NULL;
  if (!source || source->width != request->output->width || source->height != request->output->height) return COMPOSITOR_UNSUPPORTED;
  const Form *form = ((Instance *)data)->form;
  const int shares = form->where == BY_VALUE || form->what == RESTORED || form->what == ONE_FILE;
  if (shares) pthread_mutex_lock(&lock);
  const int32_t status = render_alone(data, request, answer, error);
  if (shares) pthread_mutex_unlock(&lock);
  return status;
}

static const CompositorParameter half = {.struct_size = sizeof half, .kind = COMPOSITOR_NUMBER, .number = 0.5};
static const CompositorParameterDescription other = {
  .struct_size = sizeof other, .key = "other", .summary = "Nothing.", .kind = COMPOSITOR_NUMBER, .minimum = 0, .maximum = 1,
  .default_value = &half};
static const char *const formats[] = {"yuv420p", NULL};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  static CompositorParameterDescription parameters[COUNT];
  static const CompositorParameterDescription *lists[COUNT][2];
  static CompositorDescription descriptions[COUNT];
  static const CompositorDescription *list[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const Form *form = &forms[i];
    parameters[i] = other;
    parameters[i].key = form->key ? form->key : "strength";
    parameters[i].is_animatable = form->is_animatable;
    lists[i][0] = form->is_second ? &other : &parameters[i];
    lists[i][1] = &parameters[i];
    descriptions[i] = (CompositorDescription){
      .struct_size = sizeof(CompositorDescription), .id = form->id, .name = "Keeping", .version = "1.0.0", .summary = "Copies.",
      .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .concurrency = COMPOSITOR_SERIAL,
      .output_formats = formats, .parameter_count = form->is_second ? 2 : 1, .parameters = lists[i],
      .role = form->role ? form->role : COMPOSITOR_ROLE_EFFECT,
      .is_time_invariant = form->what == INDEX || form->what == START || form->what == SOURCE_ONLY, .data = form,
      .create = create, .destroy = destroy, .render = render};
    list[i] = &descriptions[i];
  }
  static CompositorPlugin plugin;
  plugin = (CompositorPlugin){
    .struct_size = sizeof plugin, .abi_version = COMPOSITOR_ABI_VERSION, .name = "keeping",
    .version = "1.0.0", .compositor_count = COUNT, .compositors = list};
  return &plugin;
}
