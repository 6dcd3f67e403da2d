// denoise: reduces noise in static areas. Each sample is averaged with the previous and the next one, less the more it changes. It requests three
// frames with `needs`, so frames can be made in any order. compositor_plugin.h explains every field.
#include "compositor_plugin.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int32_t threshold(const CompositorRequest *request) {
  for (int32_t i = 0; i < request->parameter_count; i++)
    if (strcmp(request->parameters[i]->key, "threshold") == 0) return (int32_t)request->parameters[i]->number;
  return 12;
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

// The previous, the current and the next frame. Before a clip's first frame and after its last, the host repeats that frame.
static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
  (void)instance;
  if (request->source_count < 1 || needs->part_capacity < 3) {
    snprintf(error->text, error->capacity, "A source is needed.");
    return COMPOSITOR_UNSUPPORTED;
  }
  needs->is_partial = 1;
  for (int32_t i = 0; i < 3; i++) {
    CompositorNeed *need = needs->parts[i];
    need->track = request->sources[0]->track;
    need->is_whole = 1;
    need->time = request->time;
    need->time.value += (i - 1) * request->frame_duration.value; // the same timescale
  }
  needs->part_count = 3;
  return COMPOSITOR_OK;
}

static inline int32_t weight(int32_t change, int32_t limit, int32_t scale) {
  const int32_t left = limit - (change < 0 ? -change : change);
  return left > 0 ? left * scale >> 8 : 0; // 0 to 256
}

// The mean of three samples: weights 1, 2, 1 if nothing changes, only the middle one from `limit` on.
static inline int32_t mean(int32_t before, int32_t now, int32_t after, int32_t limit, int32_t scale) {
  const int32_t sum = weight(before - now, limit, scale) * (before - now) + weight(after - now, limit, scale) * (after - now);
  return (now * 1024 + sum + 512) >> 10;
}

static void row8(const uint8_t *before, const uint8_t *now, const uint8_t *after, uint8_t *to, int32_t width, int32_t limit) {
  const int32_t scale = 65536 / limit;
  for (int32_t x = 0; x < width; x++) to[x] = (uint8_t)mean(before[x], now[x], after[x], limit, scale);
}

static void row16(const uint16_t *before, const uint16_t *now, const uint16_t *after, uint16_t *to, int32_t width, int32_t limit) {
  const int32_t scale = 65536 / limit;
  for (int32_t x = 0; x < width; x++) to[x] = (uint16_t)mean(before[x], now[x], after[x], limit, scale);
}

static const void *row(const CompositorFrame *frame, int32_t plane, int32_t y) {
  return (const char *)frame->planes[plane].data + y * frame->planes[plane].stride;
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer;
  const CompositorFrame *output = request->output, *frames[3];
  for (int32_t i = 0; i < 3; i++) {
    frames[i] = request->asked_count == 3 ? request->asked[i]->frame : NULL;
    if (!frames[i] || frames[i]->width != output->width || frames[i]->height != output->height) {
      snprintf(error->text, error->capacity, "Three sources of the output's size are needed.");
      return COMPOSITOR_UNSUPPORTED;
    }
  }
  const int32_t limit = threshold(request) << (output->bit_depth - 8);
  for (int32_t p = 0; p < output->plane_count; p++) {
    const CompositorPlane out = output->planes[p];
    for (int32_t y = 0; y < out.height; y++) {
      if (request->is_cancelled(request->host_data)) return COMPOSITOR_CANCELLED;
      const void *before = row(frames[0], p, y), *now = row(frames[1], p, y), *after = row(frames[2], p, y);
      void *to = (char *)out.data + y * out.stride;
      if (output->bit_depth == 8) row8(before, now, after, to, out.width, limit);
      else row16(before, now, after, to, out.width, limit);
    }
  }
  return COMPOSITOR_OK;
}

static const CompositorParameter default_threshold = {
  .struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_INTEGER, .number = 12};
static const CompositorParameterDescription threshold_parameter = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "threshold",
  .summary = "The change, in code values of 8 bits, from which on a neighbor counts nothing.", .kind = COMPOSITOR_INTEGER,
  .minimum = 1, .maximum = 255, .default_value = &default_threshold, .is_animatable = 1};
static const CompositorParameterDescription *const parameters[] = {&threshold_parameter};

static const char *const formats[] = {"yuv420p", "yuv422p", "yuv444p", "yuv420p10", "yuv422p10", "yuv444p10", NULL};

static const CompositorDescription denoise = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.denoise", .name = "Denoise", .version = "1.0.0",
  .summary = "Reduces noise in static areas, using three frames.", .sources = COMPOSITOR_SOURCES_OUTPUT,
  .color = COMPOSITOR_COLOR_HDR, .concurrency = COMPOSITOR_CONCURRENT, .parameter_count = 1, .output_formats = formats,
  .parameters = parameters, .role = COMPOSITOR_ROLE_EFFECT, .is_time_invariant = 1, .create = create, .destroy = destroy,
  .render = render, .needs = needs, .needs_other_times = 1};
static const CompositorDescription *const compositors[] = {&denoise};

static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "denoise",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
