// mirror: flips a frame horizontally. Supports every planar format, and passes the frame through if there is nothing to do. compositor_plugin.h
// explains every field.
#include "compositor_plugin.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Axis { int across, down; } Axis;

static Axis axis(const CompositorRequest *request) {
  for (int32_t i = 0; i < request->parameter_count; i++) {
    const CompositorParameter *parameter = request->parameters[i];
    if (strcmp(parameter->key, "axis") != 0) continue;
    const int both = strcmp(parameter->string, "both") == 0;
    return (Axis){both || strcmp(parameter->string, "vertical") == 0, both || strcmp(parameter->string, "horizontal") == 0};
  }
  return (Axis){1, 0};
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
  (void)instance, (void)error;
  const Axis turn = axis(request);
  if (!turn.across && !turn.down && request->source_count > 0) needs->identity_track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

static void mirror_row(const uint8_t *from, uint8_t *to, int32_t width, int bytes, int across) {
  if (!across) {
    memcpy(to, from, (size_t)width * (size_t)bytes);
  } else if (bytes == 1) {
    for (int32_t x = 0; x < width; x++) to[x] = from[width - 1 - x];
  } else {
    for (int32_t x = 0; x < width; x++) memcpy(to + 2 * x, from + 2 * (width - 1 - x), 2);
  }
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer;
  const CompositorFrame *output = request->output;
  const CompositorFrame *source = request->source_count > 0 ? request->sources[0]->frame : NULL;
  if (!source || source->width != output->width || source->height != output->height) {
    snprintf(error->text, error->capacity, "A source of the output's size is needed.");
    return COMPOSITOR_UNSUPPORTED;
  }
  const Axis turn = axis(request);
  for (int32_t p = 0; p < output->plane_count; p++) {
    const CompositorPlane in = source->planes[p], out = output->planes[p];
    for (int32_t y = 0; y < out.height; y++) {
      if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
      const int32_t from = turn.down ? out.height - 1 - y : y;
      mirror_row((const uint8_t *)in.data + from * in.stride, (uint8_t *)out.data + y * out.stride, out.width,
                 output->bit_depth > 8 ? 2 : 1, turn.across);
    }
  }
  return COMPOSITOR_OK;
}

static const char *const axes[] = {"vertical", "horizontal", "both", "none", NULL};
static const CompositorParameter vertical = {
  .struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_CHOICE, .string = "vertical"};
static const CompositorParameterDescription axis_parameter = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "axis", .summary = "The axis of reflection.",
  .kind = COMPOSITOR_CHOICE, .choices = axes, .default_value = &vertical};
static const CompositorParameterDescription *const parameters[] = {&axis_parameter};

static const char *const formats[] = {
  "yuv420p", "yuv422p", "yuv444p", "yuva420p", "yuva422p", "yuva444p", "yuv420p10", "yuv422p10", "yuv444p10", "yuv420p12", "yuv422p12",
  "yuv444p12", NULL};

static const CompositorDescription mirror = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.mirror", .name = "Mirror", .version = "1.0.0",
  .summary = "Mirrors the frame.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR,
  .concurrency = COMPOSITOR_CONCURRENT, .parameter_count = 1, .output_formats = formats, .parameters = parameters,
  .role = COMPOSITOR_ROLE_EFFECT, .is_time_invariant = 1, .create = create, .destroy = destroy, .render = render, .needs = needs};
static const CompositorDescription *const compositors[] = {&mirror};

static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "mirror",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
