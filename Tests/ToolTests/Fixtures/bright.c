// Multiplies luma by 1.5. Without CLAMPS, samples exceed the depth of the format.
#include "compositor_plugin.h"

static int32_t create(const CompositorDescription *self, const CompositorContext *context, const CompositorParameter *const *parameters,
                      int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
  const CompositorFrame *output = request->output, *source = request->sources[0]->frame;
  for (int32_t index = 0; index < output->plane_count; index++) {
    const CompositorPlane *to = &output->planes[index], *from = &source->planes[index];
    for (int32_t y = 0; y < to->height; y++) {
      uint16_t *row = (uint16_t *)((char *)to->data + y * to->stride);
      const uint16_t *given = (const uint16_t *)((const char *)from->data + y * from->stride);
      for (int32_t x = 0; x < to->width; x++) {
        uint32_t sample = index == 0 ? given[x] * 3u / 2u : given[x];
#ifdef CLAMPS
        if (sample > 1023) sample = 1023;
#endif
        row[x] = (uint16_t)sample;
      }
    }
  }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p10", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.bright", .name = "Bright", .version = "1.0.0",
  .summary = "Brightens.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR, .role = COMPOSITOR_ROLE_EFFECT,
  .output_formats = formats, .is_time_invariant = 1, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "bright",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

COMPOSITOR_EXPORT const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
