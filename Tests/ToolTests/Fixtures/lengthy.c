// A compositor with a long description: PARAMETERS choices of the same WORDS words, and PRESETS presets, each with the last word for all of them. The words are
// alike but for their last marks, and not in their normalized form. Its constructor tells on the standard error stream that the file is opened.
#include "compositor_plugin.h"

#include <stdio.h>
#include <string.h>

#ifndef WORDS
#define WORDS 10
#endif
#ifndef PARAMETERS
#define PARAMETERS 1
#endif
#ifndef PRESETS
#define PRESETS 1
#endif
#define ID "org.example.lengthy"

__attribute__((constructor)) static void begin(void) { fprintf(stderr, "early: ran\n"); }

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }
static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)request, (void)answer, (void)error;
  return COMPOSITOR_UNSUPPORTED;
}

enum { WORD_LENGTH = 64, NAME_LENGTH = 8 };
static char texts[WORDS][WORD_LENGTH], keys[PARAMETERS][NAME_LENGTH], names[PRESETS][NAME_LENGTH];
static const char *words[WORDS + 1];
static CompositorParameter values[PARAMETERS];
static const CompositorParameter *value_list[PARAMETERS];
static CompositorParameterDescription parameters[PARAMETERS];
static const CompositorParameterDescription *parameter_list[PARAMETERS];
static CompositorPreset presets[PRESETS];
static const CompositorPreset *preset_list[PRESETS];

static void write_words(void) {
  static const char *const marks[] = {"\xcc\x80", "\xcc\x81", "\xcc\x82", "\xcc\x83", "\xcc\x84", "\xcc\x86", "\xcc\x87", "\xcc\x88", "\xcc\x8a", "\xcc\x8b"};
  for (int i = 0; i < WORDS; i++) {
    strcpy(texts[i], "q");
    for (int k = 0; k < 20; k++) strcat(texts[i], "\xcd\xa3");
    strcat(texts[i], "\xcc\xa7");
    for (int k = 0, rest = i; k < 5; k++, rest /= 10) strcat(texts[i], marks[rest % 10]);
    words[i] = texts[i];
  }
}

static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = ID, .name = "Lengthy", .version = "1.0.0", .summary = "Makes nothing.",
  .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE, .parameter_count = PARAMETERS, .parameters = parameter_list,
  .preset_count = PRESETS, .presets = preset_list, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "lengthy", .version = "1.0.0",
  .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
  write_words();
  for (int i = 0; i < PARAMETERS; i++) {
    snprintf(keys[i], NAME_LENGTH, "c%d", i);
    values[i] = (CompositorParameter){
      .struct_size = sizeof values[i], .key = keys[i], .kind = COMPOSITOR_CHOICE, .string = words[WORDS - 1]};
    parameters[i] = (CompositorParameterDescription){
      .struct_size = sizeof parameters[i], .key = keys[i], .summary = "A word.", .kind = COMPOSITOR_CHOICE, .choices = words,
      .default_value = &values[i]};
    value_list[i] = &values[i];
    parameter_list[i] = &parameters[i];
  }
  for (int i = 0; i < PRESETS; i++) {
    snprintf(names[i], NAME_LENGTH, "p%d", i);
    presets[i] = (CompositorPreset){
      .struct_size = sizeof presets[i], .name = names[i], .summary = "", .parameters = value_list, .parameter_count = PARAMETERS};
    preset_list[i] = &presets[i];
  }
  return &plugin;
}
