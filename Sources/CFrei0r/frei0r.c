#include "CFrei0r.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { guard_bytes = 4096, guard_byte = 0xA5, inputs = 3 };

struct frei0r_plugin {
  int (*init)(void);
  void (*get_plugin_info)(frei0r_information *);
  void (*get_param_info)(frei0r_parameter *, int);
  void *(*construct)(unsigned, unsigned);
  void (*destruct)(void *);
  void (*set_param_value)(void *, void *, int);
  void (*get_param_value)(void *, void *, int);
  void (*update)(void *, double, const uint32_t *, uint32_t *);
  void (*update2)(void *, double, const uint32_t *, const uint32_t *, const uint32_t *, uint32_t *);
  frei0r_information information;
};

struct frei0r_instance {
  const frei0r_plugin *plugin;
  void *handle;
  /// Strings that were set. They are kept because some plugins keep the pointer.
  char **texts;
  size_t byte_count;
  uint8_t *input[inputs];
  uint8_t *output;
};

// MARK: plugins

static bool find(void *library, const char *name, void *function, char *reason, size_t capacity) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  if (!symbol && reason) snprintf(reason, capacity, "it has no function %s", name);
  return symbol != NULL;
}

static bool find_all(void *library, frei0r_plugin *m, char *reason, size_t capacity) {
  bool found = find(library, "f0r_init", &m->init, reason, capacity) &&
               find(library, "f0r_get_plugin_info", &m->get_plugin_info, reason, capacity) &&
               find(library, "f0r_get_param_info", &m->get_param_info, reason, capacity) &&
               find(library, "f0r_construct", &m->construct, reason, capacity) &&
               find(library, "f0r_destruct", &m->destruct, reason, capacity) &&
               find(library, "f0r_set_param_value", &m->set_param_value, reason, capacity) &&
               find(library, "f0r_get_param_value", &m->get_param_value, reason, capacity);
  // Filters and sources need one of these, and mixers need f0r_update2. Many plugins have both.
  find(library, "f0r_update", &m->update, NULL, 0);
  find(library, "f0r_update2", &m->update2, NULL, 0);
  return found;
}

static const char *complaint(const frei0r_plugin *m) {
  const frei0r_information *i = &m->information;
  if (!i->name || !i->name[0]) return "it has no name";
  if (i->interface_version != 1) return "it uses another version of the interface";
  if (i->kind < FREI0R_FILTER || i->kind > FREI0R_MIXER3) return "its kind is unknown";
  if (i->color_model < FREI0R_BGRA || i->color_model > FREI0R_PACKED) return "its byte order is unknown";
  if (i->parameter_count < 0 || i->parameter_count > 1000) return "its number of parameters is out of range";
  if (i->kind <= FREI0R_SOURCE ? !m->update && !m->update2 : !m->update2) return "it has no function f0r_update";
  return NULL;
}

frei0r_plugin *frei0r_open(const char *path, char *reason, size_t capacity) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, capacity, "%s", dlerror());
    return NULL;
  }
  frei0r_plugin *m = calloc(1, sizeof *m);
  if (!m || !find_all(library, m, reason, capacity)) {
    free(m);
    return NULL;
  }
  // The interface defines 1 as success, but some plugins return 0 on success, so the result is ignored.
  (void)m->init();
  m->get_plugin_info(&m->information);
  const char *trouble = complaint(m);
  if (trouble) {
    snprintf(reason, capacity, "%s", trouble);
    free(m);
    return NULL;
  }
  return m;
}

void frei0r_describe(const frei0r_plugin *m, frei0r_information *information) { *information = m->information; }

void frei0r_describe_parameter(const frei0r_plugin *m, int index, frei0r_parameter *parameter) {
  *parameter = (frei0r_parameter){0};
  m->get_param_info(parameter, index);
}

// MARK: instances

static uint8_t *make_picture(size_t byte_count) {
  uint8_t *memory = aligned_alloc(64, (byte_count + 2 * guard_bytes + 63) & ~(size_t)63);
  if (!memory) return NULL;
  memset(memory, guard_byte, guard_bytes);
  memset(memory + guard_bytes, 0, byte_count);
  memset(memory + guard_bytes + byte_count, guard_byte, guard_bytes);
  return memory + guard_bytes;
}

static bool is_whole(const uint8_t *picture, size_t byte_count) {
  const uint8_t *before = picture - guard_bytes;
  for (size_t i = 0; i < guard_bytes; i++)
    if (picture[byte_count + i] != guard_byte || before[i] != guard_byte) return false;
  return true;
}

static int input_count(const frei0r_plugin *m) {
  switch (m->information.kind) {
  case FREI0R_FILTER: return 1;
  case FREI0R_MIXER2: return 2;
  case FREI0R_MIXER3: return 3;
  default: return 0;
  }
}

frei0r_instance *frei0r_construct(const frei0r_plugin *m, int width, int height) {
  frei0r_instance *i = calloc(1, sizeof *i);
  if (!i) return NULL;
  i->plugin = m;
  i->byte_count = (size_t)width * (size_t)height * 4;
  i->texts = calloc((size_t)m->information.parameter_count + 1, sizeof *i->texts);
  i->output = make_picture(i->byte_count);
  bool complete = i->texts && i->output;
  for (int n = 0; n < input_count(m); n++) complete = (i->input[n] = make_picture(i->byte_count)) && complete;
  srand(1);
  srandom(1);
  srand48(1);
  if (complete) i->handle = m->construct((unsigned)width, (unsigned)height);
  if (i->handle) return i;
  frei0r_destruct(i);
  return NULL;
}

void frei0r_destruct(frei0r_instance *i) {
  if (!i) return;
  if (i->handle) i->plugin->destruct(i->handle);
  for (int n = 0; n < inputs; n++) free(i->input[n] ? i->input[n] - guard_bytes : NULL);
  free(i->output ? i->output - guard_bytes : NULL);
  for (int n = 0; i->texts && n < i->plugin->information.parameter_count; n++) free(i->texts[n]);
  free(i->texts);
  free(i);
}

void frei0r_get(frei0r_instance *i, int index, int kind, frei0r_value *value) {
  double pair[2] = {0};
  float triple[3] = {0};
  char *text = NULL;
  *value = (frei0r_value){0};
  switch (kind) {
  case FREI0R_COLOR:
    i->plugin->get_param_value(i->handle, triple, index);
    for (int n = 0; n < 3; n++) value->numbers[n] = triple[n];
    break;
  case FREI0R_TEXT:
    i->plugin->get_param_value(i->handle, &text, index);
    value->text = text;
    break;
  default:
    i->plugin->get_param_value(i->handle, pair, index);
    for (int n = 0; n < 2; n++) value->numbers[n] = pair[n];
  }
}

void frei0r_set(frei0r_instance *i, int index, int kind, const frei0r_value *value) {
  double pair[2] = {value->numbers[0], value->numbers[1]};
  float triple[3] = {(float)value->numbers[0], (float)value->numbers[1], (float)value->numbers[2]};
  switch (kind) {
  case FREI0R_COLOR: i->plugin->set_param_value(i->handle, triple, index); break;
  case FREI0R_TEXT: {
    char *text = strdup(value->text ? value->text : "");
    if (!text) return;
    i->plugin->set_param_value(i->handle, &text, index);
    free(i->texts[index]);
    i->texts[index] = text;
    break;
  }
  default: i->plugin->set_param_value(i->handle, pair, index);
  }
}

uint32_t *frei0r_input(frei0r_instance *i, int index) { return (uint32_t *)(void *)i->input[index]; }
const uint32_t *frei0r_output(const frei0r_instance *i) { return (const uint32_t *)(const void *)i->output; }

bool frei0r_update(frei0r_instance *i, double seconds) {
  const frei0r_plugin *m = i->plugin;
  uint32_t *output = (uint32_t *)(void *)i->output;
  const uint32_t *pictures[inputs];
  for (int n = 0; n < inputs; n++) pictures[n] = frei0r_input(i, n);
  if (m->information.kind <= FREI0R_SOURCE && m->update) {
    m->update(i->handle, seconds, pictures[0], output);
  } else {
    m->update2(i->handle, seconds, pictures[0], pictures[1], pictures[2], output);
  }
  bool whole = is_whole(i->output, i->byte_count);
  for (int n = 0; n < input_count(m); n++) whole = is_whole(i->input[n], i->byte_count) && whole;
  return whole;
}
