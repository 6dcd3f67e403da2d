// A plugin whose constructor runs as soon as its file is opened: it reads a file of the user, writes another beside it, and tells both on the
// standard error stream. Its one compositor makes gray frames, or rows as labels: see LABEL.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// What stands in each text for people: a name, a version, a summary, a unit, a group, an error.
#ifndef LABEL
#define LABEL "plain"
#endif

#ifndef VERSION
#define VERSION LABEL
#endif
#ifndef ID
#define ID "org.example.early"
#endif

#ifdef SECRET
__attribute__((constructor)) static void begin(void) {
  char text[64] = "";
  const int file = open(SECRET, O_RDONLY);
  if (file >= 0 && read(file, text, sizeof text - 1) < 0) text[0] = 0;
  const int left = open(SECRET ".left", O_WRONLY | O_CREAT, 0600);
  fprintf(stderr, "early: ran, read “%s”, wrote %d\n", text, left >= 0);
}
#endif

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)instance, (void)error;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)answer;
  const CompositorFrame *output = request->output;
  for (int32_t p = 0; p < output->plane_count; p++)
    for (int32_t y = 0; y < output->planes[p].height; y++)
      memset((uint8_t *)output->planes[p].data + y * output->planes[p].stride, 128, (size_t)output->planes[p].width);
#ifdef FAILS
  snprintf(error->text, error->capacity, "%s", LABEL);
  return COMPOSITOR_FAILED;
#else
  (void)error;
  return COMPOSITOR_OK;
#endif
}

static const CompositorParameter level_default = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_NUMBER, .number = 1};
static const CompositorParameterDescription level = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "level", .summary = LABEL, .kind = COMPOSITOR_NUMBER, .minimum = 0,
  .maximum = 1, .unit = LABEL, .group = LABEL, .default_value = &level_default};
static const CompositorParameterDescription *const parameters[] = {&level};
static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = ID, .name = LABEL, .version = VERSION, .summary = LABEL,
  .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .concurrency = COMPOSITOR_CONCURRENT,
  .output_formats = formats, .parameter_count = 1, .parameters = parameters, .role = COMPOSITOR_ROLE_TRANSITION,
  .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = LABEL,
  .version = LABEL, .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
#ifdef LOGS
  host->log(LABEL);
#endif
  return &plugin;
}
