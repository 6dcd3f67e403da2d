// Two compositors written from the header alone: "org.example.mix" weighs two clips that come placed on the canvas, and
// "org.example.reveal" is a transition whose edge is a parameter that projects give keyframes.
#include "compositor_plugin.h"

#include <math.h>
#include <string.h>

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)context, (void)parameters, (void)count, (void)error;
  *instance = (void *)self;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }

static double number(const CompositorRequest *request, const char *key) {
  for (int32_t i = 0; i < request->parameter_count; i++)
    if (!strcmp(request->parameters[i]->key, key)) return request->parameters[i]->number;
  return 0;
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)answer, (void)error;
  if (request->source_count < 2) return COMPOSITOR_UNSUPPORTED;
  const CompositorDescription *self = instance;
  const int mixes = self->role == COMPOSITOR_ROLE_COMPOSITOR;
  const double value = number(request, mixes ? "weight" : "edge");
  const CompositorFrame *a = request->sources[0]->frame, *b = request->sources[1]->frame, *to = request->output;
  for (int32_t p = 0; p < to->plane_count; p++) {
    const int32_t width = to->planes[p].width, edge = (int32_t)floor(value * width);
    for (int32_t y = 0; y < to->planes[p].height; y++) {
      const uint8_t *first = (const uint8_t *)a->planes[p].data + y * a->planes[p].stride;
      const uint8_t *second = (const uint8_t *)b->planes[p].data + y * b->planes[p].stride;
      uint8_t *row = (uint8_t *)to->planes[p].data + y * to->planes[p].stride;
      for (int32_t x = 0; x < width; x++)
        row[x] = mixes ? (uint8_t)lround(first[x] * (1 - value) + second[x] * value) : x < edge ? second[x] : first[x];
      if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
    }
  }
  return COMPOSITOR_OK;
}

static const CompositorParameter half = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_NUMBER, .number = 0.5};
#define PARAMETER(variable, key_, summary_) \
  static const CompositorParameterDescription variable = { \
    .struct_size = sizeof(CompositorParameterDescription), .key = key_, .summary = summary_, .kind = COMPOSITOR_NUMBER, .minimum = 0, \
    .maximum = 1, .unit = "fraction", .default_value = &half, .is_animatable = 1, .hint = COMPOSITOR_HINT_PERCENT}; \
  static const CompositorParameterDescription *const variable##s[] = {&variable}
PARAMETER(weight, "weight", "Weight of the second clip.");
PARAMETER(edge, "edge", "How much of the second clip is seen, from the left.");
static const char *const formats[] = {"yuv420p", "yuv444p", NULL};
#define DESCRIBE(variable, name_, kind, list) \
  static const CompositorDescription variable = { \
    .struct_size = sizeof(CompositorDescription), .id = "org.example." name_, .name = name_, .version = "1.0.0", .summary = name_ ".", \
    .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR, .output_formats = formats, .parameter_count = 1, \
    .parameters = list, .role = kind, .is_time_invariant = 1, .places_sources = 1, .create = create, .destroy = destroy, .render = render}
DESCRIBE(mix, "mix", COMPOSITOR_ROLE_COMPOSITOR, weights);
DESCRIBE(reveal, "reveal", COMPOSITOR_ROLE_TRANSITION, edges);
static const CompositorDescription *const compositors[] = {&mix, &reveal};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "offers",
  .version = "1.0.0", .compositor_count = 2, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
