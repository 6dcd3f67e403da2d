// An audio processor that halves the level, and with BEYOND, COUNTS or NAN_IS has one fault.
#include "compositor_plugin.h"

#include <math.h>
#include <stdlib.h>

static int32_t create(const CompositorAudioDescription *self, const CompositorAudioContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)parameters, (void)count, (void)error;
  int *state = calloc(2, sizeof *state);
  if (!state) return COMPOSITOR_OUT_OF_MEMORY;
  state[1] = context->channel_count;
  *instance = state;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { free(instance); }

static int32_t process(void *instance, float *const *channels, int32_t count, int64_t position, CompositorErrorText *error) {
  (void)position, (void)error;
  int *state = instance;
  for (int32_t c = 0; c < state[1]; c++) {
    for (int32_t i = 0; i < count; i++) channels[c][i] *= 0.5f;
#ifdef BEYOND
    channels[c][-1] = 1;
#endif
#ifdef COUNTS
    if (state[0] == 0) channels[c][0] = 1;
#endif
#ifdef NAN_IS
    channels[c][0] = nanf("");
#endif
  }
  state[0]++;
  return COMPOSITOR_OK;
}

static const CompositorAudioDescription halver = {
  .struct_size = sizeof(CompositorAudioDescription), .id = "org.example.halver", .name = "Halver", .version = "1.0.0",
  .summary = "Halves the level.", .create = create, .destroy = destroy, .process = process};
static const CompositorAudioDescription *const processors[] = {&halver};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "processor",
  .version = "1.0.0", .audio_processor_count = 1, .audio_processors = processors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
