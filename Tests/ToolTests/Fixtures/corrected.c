// A compositor whose description says what cannot be meant: CHANGE is done to it before it is returned.
#include "compositor_plugin.h"

#include <stdint.h>
#include <string.h>

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **made, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *made = NULL;
  return COMPOSITOR_OK;
}

static void destroy(void *instance) { (void)instance; }

static int32_t render(void *data, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)data, (void)error;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

#ifndef ID
#define ID "org.example.corrected"
#endif
#ifndef CHANGE
#define CHANGE
#endif

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  static CompositorParameter value = {.struct_size = sizeof value, .kind = COMPOSITOR_INTEGER, .number = 3};
  static CompositorParameterDescription level = {
    .struct_size = sizeof level, .key = "level", .summary = "Nothing.", .kind = COMPOSITOR_INTEGER, .minimum = 0, .maximum = 9};
  level.default_value = &value;
  static const CompositorParameterDescription *parameters[5000];
  parameters[0] = &level;
  static const CompositorPreset *presets[5000];
  static const char *const formats[] = {"yuv420p", NULL};
  static CompositorDescription description = {
    .struct_size = sizeof description, .id = ID, .name = "Corrected", .version = "1.0.0", .summary = "Passes through.",
    .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats, .parameter_count = 1,
    .role = COMPOSITOR_ROLE_EFFECT, .create = create, .destroy = destroy, .render = render};
  description.parameters = parameters;
  description.presets = presets;
  static const CompositorDescription *compositors[5000];
  compositors[0] = &description;
  static CompositorPlugin plugin = {
    .struct_size = sizeof plugin, .abi_version = COMPOSITOR_ABI_VERSION, .name = "corrected",
    .version = "1.0.0", .compositor_count = 1, .compositors = compositors};
  CHANGE;
  return &plugin;
}
