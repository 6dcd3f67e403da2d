// A compositor for tests of parameters that change: a frame of one color with a square of one luma around a point. It draws what
// the request says, and keeps nothing of create.
#include "compositor_plugin.h"

#include <string.h>

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)instance, (void)error;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }

static const CompositorParameter *find(const CompositorRequest *request, const char *key) {
  for (int32_t i = 0; i < request->parameter_count; i++)
    if (!strcmp(request->parameters[i]->key, key)) return request->parameters[i];
  return NULL;
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
  const CompositorParameter *at = find(request, "at"), *tint = find(request, "tint"), *side = find(request, "side");
  if (!at || at->number_count != 2 || !tint || tint->number_count < 3 || !side || side->number != (int32_t)side->number)
    return COMPOSITOR_INVALID_PARAMETER;
  const int32_t half = (int32_t)side->number;
#ifdef RELATIVE
  const double x = at->numbers[0] * request->output->width, y = at->numbers[1] * request->output->height;
#else
  const double x = at->numbers[0], y = at->numbers[1];
#endif
  const int left = (int)(x + 0.5) - half, top = (int)(y + 0.5) - half;
  for (int32_t p = 0; p < 3; p++) {
    const CompositorPlane *plane = &request->output->planes[p];
    for (int32_t y = 0; y < plane->height; y++) {
      uint8_t *row = (uint8_t *)plane->data + y * plane->stride;
      for (int32_t x = 0; x < plane->width; x++) {
        const int inside = p == 0 && x >= left && x < left + 2 * half && y >= top && y < top + 2 * half;
        row[x] = inside ? 235 : (uint8_t)(16 + 200 * tint->numbers[p] + 0.5);
      }
    }
  }
  return COMPOSITOR_OK;
}

#ifdef RELATIVE
static const double middle[] = {0.5, 0.5};
#else
static const double middle[] = {64, 36};
#endif
static const double gray[] = {0.5, 0.5, 0.5};
static const CompositorParameter at_default = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_POINT, .number_count = 2, .numbers = middle};
static const CompositorParameter tint_default = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_COLOR, .number_count = 3, .numbers = gray};
static const CompositorParameter side_default = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_INTEGER, .number = 4};
static const CompositorParameter mode_default = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_CHOICE, .string = "plain"};
static const char *const modes[] = {"plain", "round", NULL};
#define PARAMETER(variable, ...) \
  static const CompositorParameterDescription variable = { \
    .struct_size = sizeof(CompositorParameterDescription), .summary = "For a test.", .is_animatable = 1, __VA_ARGS__}
#ifdef RELATIVE
PARAMETER(at, .key = "at", .kind = COMPOSITOR_POINT, .default_value = &at_default, .is_relative = 1);
#else
PARAMETER(at, .key = "at", .kind = COMPOSITOR_POINT, .default_value = &at_default);
#endif
PARAMETER(tint, .key = "tint", .kind = COMPOSITOR_COLOR, .default_value = &tint_default);
PARAMETER(side, .key = "side", .kind = COMPOSITOR_INTEGER, .minimum = 1, .maximum = 20, .default_value = &side_default);
// Says that it changes, and cannot.
PARAMETER(mode, .key = "mode", .kind = COMPOSITOR_CHOICE, .choices = modes, .default_value = &mode_default);
static const CompositorParameterDescription *const parameters[] = {&at, &tint, &side, &mode};
static const char *const formats[] = {"yuv444p", NULL};
static const CompositorDescription marker = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.marker", .name = "Marker", .version = "1.0.0", .summary = "Marks a point.",
  .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats, .parameter_count = 4,
  .parameters = parameters, .role = COMPOSITOR_ROLE_EFFECT, .is_time_invariant = 1, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&marker};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "marker",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
