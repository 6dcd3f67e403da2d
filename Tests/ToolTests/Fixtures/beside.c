// A plugin with a library beside it ($ORIGIN) and a text in its own folder, which it finds by its own path. Both are its summary.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *beside_word(void);

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)instance, (void)error;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }
static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)error;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

static char summary[256];
static const char *const formats[] = {"yuv420p", NULL};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.beside", .name = "Beside", .version = "1.0.0", .summary = summary,
  .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .output_formats = formats, .create = create,
  .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "beside",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  Dl_info own;
  char path[4096] = "", text[64] = "nothing";
  if (dladdr(&plugin, &own)) snprintf(path, sizeof path - 32, "%s", own.dli_fname);
  char *end = strrchr(path, '.');
  if (end) strcpy(end, ".resources/text.txt");
  FILE *file = fopen(path, "r");
  if (file) {
    if (!fgets(text, sizeof text, file)) text[0] = 0;
    fclose(file);
  }
  snprintf(summary, sizeof summary, "%s and %s.", beside_word(), text);
  return &plugin;
}
