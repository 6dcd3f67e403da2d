// An audio processor that halves the level, and with BEYOND, COUNTS, NAN_IS or KEEPS has one fault: KEEPS applies the first
// instance's gain to all.
#include "compositor_plugin.h"

#include <math.h>
#include <stdlib.h>

static const CompositorParameter half = {.struct_size = sizeof half, .kind = COMPOSITOR_NUMBER, .number = 0.5};
static const CompositorParameterDescription gain = {
  .struct_size = sizeof gain, .key = "gain", .summary = "The factor.", .kind = COMPOSITOR_NUMBER, .maximum = 1,
  .default_value = &half};
static const CompositorParameterDescription *const parameter_list[] = {&gain};

typedef struct State {
  int blocks, channels;
  float factor;
} State;

static int32_t create(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)count, (void)error;
  State *state = calloc(1, sizeof *state);
  if (!state) return COMPOSITOR_OUT_OF_MEMORY;
  state->channels = context->channel_count;
  state->factor = (float)parameters[0]->number;
#ifdef KEEPS
  static float first = -1;
  if (first < 0) first = state->factor;
  state->factor = first;
#endif
  *instance = state;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { free(instance); }

static int32_t process(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error) {
  (void)position, (void)error;
  State *state = instance;
  for (int32_t c = 0; c < state->channels; c++) {
    for (int32_t i = 0; i < count; i++) channels[c][i] *= state->factor;
#ifdef BEYOND
    channels[c][-1] = 1;
#endif
#ifdef COUNTS
    if (state->blocks == 0) channels[c][0] = 1;
#endif
#ifdef NAN_IS
    channels[c][0] = nanf("");
#endif
  }
  state->blocks++;
  return COMPOSITOR_OK;
}

static const CompositorAudioDescription halver = {
  .struct_size = sizeof(CompositorAudioDescription), .id = "org.example.halver", .name = "Halver", .version = "1.0.0",
  .summary = "Halves the level.", .parameters = parameter_list, .parameter_count = 1, .create = create, .destroy = destroy, .process = process};
static const CompositorAudioDescription *const processors[] = {&halver};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "processor",
  .version = "1.0.0", .audio_processor_count = 1, .audio_processors = processors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
