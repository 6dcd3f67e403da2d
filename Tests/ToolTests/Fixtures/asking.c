// A compositor that asks for sources at other times as no plugin may. DEED says what it does, from frame FRAME on.
#include "compositor_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TRACK 1
#define INFINITE 2
#define FAR 3
#define MANY 4
#define COUNT 5
#define UNDECLARED 6
#define FAILS 7
#define CRASHES 8
#define HANGS 9
#define FICKLE 10 /* other needs each time: only `check` can tell */
#define SCARCE 11 /* reads more than it says it needs: only `check` can tell */
#define OTHER 12  /* answers with a source at a time that it did not ask for */
#ifndef FRAME
#define FRAME 3
#endif

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int64_t frame_of(const CompositorRequest *request) {
  return request->frame_duration.value > 0 ? request->time.value / request->frame_duration.value : 0;
}

static void ask(CompositorNeeds *needs, int32_t track, CompositorTime time, int64_t step) {
  CompositorNeed *need = needs->parts[needs->part_count++];
  need->track = track;
  need->is_whole = 1;
  need->time = time;
  need->time.value += step;
}

static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
  (void)instance;
  needs->is_partial = 1;
  const int32_t track = request->sources[0]->track;
  const CompositorTime now = request->time;
  const int64_t step = request->frame_duration.value;
  ask(needs, track, now, 0);
  if (frame_of(request) < FRAME) return COMPOSITOR_OK;
  switch (DEED) {
  case TRACK: ask(needs, 99, now, -step); break;
  case INFINITE: ask(needs, track, (CompositorTime){1, -5, 0}, 0); break;
  case FAR: ask(needs, track, now, 1000000 * step); break;
  case MANY:
    needs->part_count = 0;
    while (needs->part_count < needs->part_capacity) ask(needs, track, now, (needs->part_count + 1) * step);
    break;
  case COUNT: needs->part_count = 1 << 30; break;
  case UNDECLARED: ask(needs, track, now, step); break;
  case FAILS: snprintf(error->text, error->capacity, "It will not say."); return COMPOSITOR_FAILED;
  case CRASHES: abort();
  case HANGS: for (;;) pause();
  case FICKLE: { static int calls; ask(needs, track, now, calls++ % 2 ? step : -step); break; }
  case SCARCE: needs->parts[0]->is_whole = 0, needs->parts[0]->part[2] = 8, needs->parts[0]->part[3] = 8; break;
  }
  return COMPOSITOR_OK;
}

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)error;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  if (DEED == OTHER && frame_of(request) >= FRAME) {
    answer->time = request->time;
    answer->time.value += request->frame_duration.value;
  }
  return COMPOSITOR_OK;
}

// Copies its source, in place of render: a picture of the output's own, so that `check` sees what it depends on.
static int32_t copy(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
  for (int32_t p = 0; p < request->output->plane_count; p++) {
    const CompositorPlane in = request->sources[0]->frame->planes[p], out = request->output->planes[p];
    for (int32_t y = 0; y < out.height; y++)
      for (int32_t x = 0; x < out.width; x++)
        ((uint8_t *)out.data + y * out.stride)[x] = ((const uint8_t *)in.data + y * in.stride)[x];
  }
  return COMPOSITOR_OK;
}

static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription description = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.asking", .name = "Asking", .version = "1.0.0",
  .summary = "Asks for what cannot be had.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR,
  .concurrency = COMPOSITOR_CONCURRENT, .output_formats = formats, .role = COMPOSITOR_ROLE_EFFECT, .create = create,
  .destroy = destroy, .render = DEED == FICKLE || DEED == SCARCE ? copy : render, .needs = needs,
  .needs_other_times = DEED != UNDECLARED};
static const CompositorDescription *const compositors[] = {&description};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "asking",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
