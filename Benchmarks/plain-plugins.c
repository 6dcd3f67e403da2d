// Plugins with minimal work, which show the cost of a separate process: Benchmarks/scripts/bench plugins.
#include "compositor_plugin.h"

#include <string.h>

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

// Passes its source through.
static int32_t nothing(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)error;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

// Copies its source.
static int32_t copy(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
  const CompositorFrame *output = request->output, *source = request->sources[0]->frame;
  const size_t sample = output->bit_depth > 8 ? 2 : 1;
  for (int32_t p = 0; p < output->plane_count; p++) {
    const CompositorPlane from = source->planes[p], to = output->planes[p];
    for (int32_t y = 0; y < to.height; y++)
      memcpy((char *)to.data + y * to.stride, (const char *)from.data + y * from.stride, (size_t)to.width * sample);
  }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", "yuv420p10", NULL};

#define COMPOSITOR(word, title, sentence) \
  static const CompositorDescription word##_compositor = { \
    .struct_size = sizeof(CompositorDescription), .id = "org.example." #word, .name = title, .version = "1.0.0", \
    .summary = sentence, .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats, \
    .role = COMPOSITOR_ROLE_EFFECT, .create = create, .destroy = destroy, .render = word}
COMPOSITOR(nothing, "Nothing", "Hands its source on.");
COMPOSITOR(copy, "Copy", "Copies its source.");

static const CompositorDescription *const compositors[] = {&nothing_compositor, &copy_compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION,
  .name = "plain plugins", .version = "1.0.0", .compositor_count = 2, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
