// Adds the first byte of a file to luma, and refuses files that do not begin with "T", as those of no contents.
#include "compositor_plugin.h"

#include <string.h>

static const CompositorParameterDescription table = {
  .struct_size = sizeof table, .key = "table", .summary = "A table.", .kind = COMPOSITOR_FILE, .is_required = 1, .maximum = 1000};
static const CompositorParameterDescription *const parameter_list[] = {&table};

static int32_t create(const CompositorDescription *self, const CompositorContext *context, const CompositorParameter *const *parameters,
                      int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)instance;
  if (count == 1 && parameters[0]->byte_count > 0 && memcmp(parameters[0]->data, "T", 1) == 0) return COMPOSITOR_OK;
  strcpy(error->text, "That is no table.");
  return COMPOSITOR_UNSUPPORTED;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
  const CompositorFrame *output = request->output, *source = request->sources[0]->frame;
  for (int32_t index = 0; index < output->plane_count; index++) {
    const CompositorPlane *to = &output->planes[index], *from = &source->planes[index];
    for (int32_t y = 0; y < to->height; y++) {
      unsigned char *row = (unsigned char *)to->data + y * to->stride;
      const unsigned char *given = (const unsigned char *)from->data + y * from->stride;
      for (int32_t x = 0; x < to->width; x++) row[x] = (unsigned char)(given[x] + (index == 0 ? 'T' : 0));
    }
  }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.table", .name = "Table", .version = "1.0.0",
  .summary = "Reads a table.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR, .role = COMPOSITOR_ROLE_EFFECT,
  .parameters = parameter_list, .parameter_count = 1, .output_formats = formats, .is_time_invariant = 1, .create = create,
  .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "table",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

COMPOSITOR_EXPORT const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
