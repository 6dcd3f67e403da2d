// An audio processor that halves the level, and with BEYOND, COUNTS, KEEPS or one of NAN_… has one fault: KEEPS applies the first
// instance's gain to all. LATENCY is what it says of its latency, NAME is its name.
#include "compositor_plugin.h"

#include <math.h>
#include <stdlib.h>

static const CompositorParameter half = {.struct_size = sizeof half, .kind = COMPOSITOR_NUMBER, .number = 0.5};
static const CompositorParameterDescription gain = {
  .struct_size = sizeof gain, .key = "gain", .summary = "The factor.", .kind = COMPOSITOR_NUMBER, .maximum = 1,
  .default_value = &half};
static const CompositorParameterDescription *const parameter_list[] = {&gain};

#ifndef NAME
#define NAME "Halver"
#endif
#ifndef LATENCY
#define LATENCY 0
#endif

static int made;

typedef struct State {
  int blocks, channels, asked;
  float factor;
} State;

static int32_t create(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)count, (void)error;
  State *state = calloc(1, sizeof *state);
  if (!state) return COMPOSITOR_OUT_OF_MEMORY;
  made++;
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

static int32_t latency(void *instance) {
  State *state = instance;
  (void)state;
  return LATENCY;
}

static int32_t process(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error) {
  (void)position, (void)error;
  State *state = instance;
  const float first = channels[0][0];
  (void)first;
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
#ifdef NAN_LATE
    if (position <= 9600 && 9600 < position + count) channels[c][9600 - position] = nanf("");
#endif
#ifdef NAN_FAR
    if (position > 100000000) channels[c][0] = nanf("");
#endif
#ifdef NAN_OF_SILENCE
    channels[c][0] = first / (float)fabs(first) * 0.01f;
#endif
#ifdef NAN_OF_PEAKS
    channels[c][0] = sqrtf(0.9f - fabsf(first));
#endif
  }
  state->blocks++;
  return COMPOSITOR_OK;
}

static const CompositorAudioDescription halver = {
  .struct_size = sizeof(CompositorAudioDescription), .id = "org.example.halver", .name = NAME, .version = "1.0.0",
  .summary = "Halves the level.", .parameters = parameter_list, .parameter_count = 1, .create = create, .destroy = destroy, .process = process,
  .latency = latency};
static const CompositorAudioDescription *const processors[] = {&halver};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "processor",
  .version = "1.0.0", .audio_processor_count = 1, .audio_processors = processors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
