// Copies floating-point frames, of type SAMPLE and format FORMAT. With UNDEFINED, its bits of NaN, the last sample is no number. With OTHER_TRACK, PART_TRACK or
// PARTS, its needs name a track that is not there, or more parts than there are; with REFUSES, it cannot say what it needs; with CANCELS, it says that
// the render was canceled, and with NONE, that it needs nothing.
#include "compositor_plugin.h"
#include <string.h>

static int32_t create(const CompositorDescription *self, const CompositorContext *context, const CompositorParameter *const *parameters,
                      int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer, (void)error;
#ifdef NONE
  if (request->source_count < 1) {
    strcpy(error->text, "a source is needed");
    return COMPOSITOR_FAILED;
  }
#endif
  const CompositorPlane *to = &request->output->planes[0], *from = &request->sources[0]->frame->planes[0];
  const size_t size = (size_t)to->width * 4 * sizeof(SAMPLE);
  for (int32_t y = 0; y < to->height; y++) memcpy((char *)to->data + y * to->stride, (const char *)from->data + y * from->stride, size);
#ifdef UNDEFINED
  const SAMPLE undefined = UNDEFINED;
  memcpy((char *)to->data + (to->height - 1) * to->stride + size - 2 * sizeof(SAMPLE), &undefined, sizeof undefined);
#endif
  return COMPOSITOR_OK;
}

#if defined OTHER_TRACK || defined PART_TRACK || defined PARTS || defined REFUSES || defined CANCELS || defined NONE
#define HAS_NEEDS
static int32_t needs(void *instance, const CompositorRequest *request, CompositorNeeds *needs, CompositorErrorText *error) {
  (void)instance, (void)request, (void)needs, (void)error;
#ifdef OTHER_TRACK
  needs->identity_track = OTHER_TRACK;
#endif
#ifdef PART_TRACK
  needs->is_partial = 1;
  needs->part_count = 1;
  needs->parts[0]->track = PART_TRACK;
  needs->parts[0]->is_whole = 1;
#endif
#ifdef PARTS
  needs->is_partial = 1;
  needs->part_count = PARTS;
#endif
#ifdef NONE
  needs->is_partial = 1;
  needs->part_count = 0;
#endif
#ifdef CANCELS
  return COMPOSITOR_CANCELLED;
#endif
#ifdef REFUSES
  strcpy(error->text, "cannot say");
  return COMPOSITOR_FAILED;
#endif
  return COMPOSITOR_OK;
}
#endif

static const char *const formats[] = {FORMAT, NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.undefined", .name = "Undefined", .version = "1.0.0",
  .summary = "Copies.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_HDR, .role = COMPOSITOR_ROLE_EFFECT,
  .output_formats = formats, .is_time_invariant = 1, .create = create, .destroy = destroy, .render = render,
#ifdef HAS_NEEDS
  .needs = needs,
#endif
};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "undefined",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

COMPOSITOR_EXPORT const CompositorPlugin *compositor_plugin_v1(const CompositorHost *host) {
  (void)host;
  return &plugin;
}
