// Takes the mask of an effect itself: its luma is the mask's, and its chroma is neutral. Without a mask, luma is the largest code.
#include <string.h>

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
  const CompositorFrame *output = request->output;
  const CompositorFrame *mask = request->source_count > 1 ? request->sources[1]->frame : NULL;
  size_t bytes = output->bit_depth > 8 ? 2 : 1;
#ifdef CARELESS
  mask = request->sources[1]->frame; // There may be none.
#endif
  for (int32_t index = 0; index < output->plane_count; index++) {
    const CompositorPlane *to = &output->planes[index];
    for (int32_t y = 0; y < to->height; y++) {
      char *row = (char *)to->data + y * to->stride;
      if (mask != NULL) {
        memcpy(row, (char *)mask->planes[index].data + y * mask->planes[index].stride, (size_t)to->width * bytes);
        continue;
      }
      for (int32_t x = 0; x < to->width; x++) {
        int code = index == 0 ? (1 << output->bit_depth) - 1 : 1 << (output->bit_depth - 1);
        if (bytes == 2) ((uint16_t *)row)[x] = (uint16_t)code; else ((uint8_t *)row)[x] = (uint8_t)code;
      }
    }
  }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", "yuv444p", "yuv420p10", "yuv444p10", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.masked", .name = "Masked", .version = "1.0.0",
  .summary = "Shows its mask.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR, .role = COMPOSITOR_ROLE_EFFECT,
  .output_formats = formats, .is_time_invariant = 1, .create = create, .destroy = destroy, .render = render, .takes_mask = 1};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "masked",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

COMPOSITOR_EXPORT const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
