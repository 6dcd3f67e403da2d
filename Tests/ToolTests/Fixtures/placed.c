// Compositors for tests of what the host offers: "org.example.second" gives its second source, "org.example.average" the mean of both,
// and "org.example.level" a gray frame of the luma that its parameter says.
#include "compositor_plugin.h"

#include <string.h>

#ifndef PLACES
#define PLACES 1
#endif

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)context, (void)parameters, (void)count, (void)error;
  *instance = (void *)self;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)answer, (void)error;
  const char *id = ((const CompositorDescription *)instance)->id;
  const CompositorFrame *output = request->output;
  const double level = request->parameter_count > 0 ? request->parameters[0]->number : 0;
  for (int32_t p = 0; p < output->plane_count; p++) {
    const CompositorPlane *to = &output->planes[p];
    for (int32_t y = 0; y < to->height; y++) {
      uint8_t *row = (uint8_t *)to->data + y * to->stride;
      if (!strcmp(id, "org.example.level")) {
        memset(row, p == 0 ? (int)(level + 0.5) : 128, (size_t)to->width);
        continue;
      }
      if (request->source_count < 2) return COMPOSITOR_UNSUPPORTED;
      const CompositorPlane *a = &request->sources[0]->frame->planes[p], *b = &request->sources[1]->frame->planes[p];
      if (a->width != to->width || b->width != to->width || b->height != to->height) return COMPOSITOR_UNSUPPORTED;
      const uint8_t *first = (const uint8_t *)a->data + y * a->stride, *second = (const uint8_t *)b->data + y * b->stride;
      const int averages = !strcmp(id, "org.example.average");
      for (int32_t x = 0; x < to->width; x++) row[x] = averages ? (uint8_t)((first[x] + second[x] + 1) / 2) : second[x];
    }
  }
  return COMPOSITOR_OK;
}

static const CompositorParameter none = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_NUMBER, .number = 16};
static const CompositorParameterDescription level = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "level", .summary = "The luma.", .kind = COMPOSITOR_NUMBER,
  .minimum = 16, .maximum = 235, .default_value = &none, .is_animatable = 1};
static const CompositorParameterDescription *const parameters[] = {&level};
static const char *const formats[] = {"yuv420p", NULL};
#define DESCRIBE(variable, name_, places, kind, count, list) \
  static const CompositorDescription variable = { \
    .struct_size = sizeof(CompositorDescription), .id = "org.example." name_, .name = name_, .version = "1.0.0", .summary = name_ ".", \
    .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats, .parameter_count = count, \
    .parameters = list, .role = kind, .places_sources = places, .create = create, .destroy = destroy, .render = render}
DESCRIBE(second, "second", PLACES, COMPOSITOR_ROLE_COMPOSITOR, 0, NULL);
DESCRIBE(average, "average", PLACES, COMPOSITOR_ROLE_COMPOSITOR, 0, NULL);
DESCRIBE(flat, "level", 0, COMPOSITOR_ROLE_TRANSITION, 1, parameters);
static const CompositorDescription *const compositors[] = {&second, &average, &flat};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "placed",
  .version = "1.0.0", .compositor_count = 3, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
#ifdef HANGS
  for (;;) {}
#endif
  (void)host;
  return &plugin;
}
