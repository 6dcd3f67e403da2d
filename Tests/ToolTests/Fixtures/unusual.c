// Compositors and transitions that copy a source: careful ones, one that takes each source to be of the output's size, and some that take a source to be
// there. An effect may do both.
#include "compositor_plugin.h"

#include <stdint.h>
#include <string.h>

enum Deed { CAREFUL, PLACED, SIZE, FIRST, SECOND, PLACED_SECOND, TRANSITION, EFFECT, DEED_COUNT };
static const char *const ids[DEED_COUNT] = {
  "careful.refusing", "careful.placed", "careless.size", "careless.first", "careless.second", "careless.placed-second", "careless.transition",
  "careful.effect"};

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **made, CompositorErrorText *error) {
  (void)context, (void)parameters, (void)count, (void)error;
  *made = (void *)self->data;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }

static int32_t render(void *data, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)answer, (void)error;
  const enum Deed deed = (enum Deed)((const char *const *)data - ids);
  const int needs_second = deed == SECOND || deed == PLACED_SECOND;
  const int is_trusting = needs_second || deed == FIRST || deed == TRANSITION || deed == EFFECT;
  if (!is_trusting && request->source_count < 1) return COMPOSITOR_UNSUPPORTED;
  const CompositorFrame *source = request->sources[needs_second ? 1 : 0]->frame, *output = request->output;
  const int is_other = source->width != output->width || source->height != output->height;
  if (is_other && deed != SIZE) return COMPOSITOR_UNSUPPORTED;
  for (int32_t p = 0; p < output->plane_count; p++)
    for (int32_t y = 0; y < output->planes[p].height; y++) {
      if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
      memcpy((uint8_t *)output->planes[p].data + y * output->planes[p].stride,
             (const uint8_t *)source->planes[p].data + y * source->planes[p].stride, (size_t)output->planes[p].width);
    }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", NULL};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  static CompositorDescription descriptions[DEED_COUNT];
  static const CompositorDescription *list[DEED_COUNT];
  for (int i = 0; i < DEED_COUNT; i++) {
    descriptions[i] = (CompositorDescription){
      .struct_size = sizeof(CompositorDescription), .id = ids[i], .name = "Unusual", .version = "1.0.0", .summary = "Copies.",
      .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats,
      .role = i == EFFECT ? COMPOSITOR_ROLE_EFFECT : i == TRANSITION ? COMPOSITOR_ROLE_TRANSITION : COMPOSITOR_ROLE_COMPOSITOR,
      .places_sources = i == PLACED || i == PLACED_SECOND, .data = &ids[i], .create = create, .destroy = destroy, .render = render};
    list[i] = &descriptions[i];
  }
  static CompositorPlugin plugin;
  plugin = (CompositorPlugin){
    .struct_size = sizeof plugin, .abi_version = COMPOSITOR_ABI_VERSION, .name = "unusual",
    .version = "1.0.0", .compositor_count = DEED_COUNT, .compositors = list};
  return &plugin;
}
