// An independent description of the frei0r plugin interface, with a loader. The build does not need frei0r: plugins are found and opened at run time.
//
// A frei0r plugin is a shared library with ten C functions. It makes frames of 4 bytes per pixel, with width and height multiples of 8, rows without
// padding, and planes aligned to 16 bytes; times are in seconds. The interface makes no promises about threads; calls to one plugin must be
// serialized here.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// Kinds of plugins.
  FREI0R_FILTER = 0, FREI0R_SOURCE = 1, FREI0R_MIXER2 = 2, FREI0R_MIXER3 = 3,
  /// Byte orders of a pixel; the last is for plugins that treat all four bytes alike.
  FREI0R_BGRA = 0, FREI0R_RGBA = 1, FREI0R_PACKED = 2,
  /// Types of parameters.
  FREI0R_BOOL = 0, FREI0R_NUMBER = 1, FREI0R_COLOR = 2, FREI0R_POSITION = 3, FREI0R_TEXT = 4,
};

/// A plugin's information; strings belong to the plugin and stay valid.
typedef struct frei0r_information {
  const char *name;
  const char *author;
  int32_t kind;
  int32_t color_model;
  int32_t interface_version;
  int32_t major_version, minor_version;
  int32_t parameter_count;
  const char *explanation;
} frei0r_information;

/// A parameter's information.
typedef struct frei0r_parameter {
  const char *name;
  int32_t kind;
  const char *explanation;
} frei0r_parameter;

/// A value of any type. Numbers are in `numbers`: one for bool and number, two for a position, three for a color.
typedef struct frei0r_value {
  double numbers[3];
  const char *text;
} frei0r_value;

/// An opened plugin; never closed, because plugins leave threads and exit handlers behind.
typedef struct frei0r_plugin frei0r_plugin;
/// One instance for one size.
typedef struct frei0r_instance frei0r_instance;

/// Opens and initializes a plugin. On failure, returns NULL and a sentence in `reason`.
frei0r_plugin *frei0r_open(const char *path, char *reason, size_t capacity);

void frei0r_describe(const frei0r_plugin *plugin, frei0r_information *information);
void frei0r_describe_parameter(const frei0r_plugin *plugin, int index, frei0r_parameter *parameter);

/// Creates an instance for frames of `width` × `height`, multiples of 8; NULL if the plugin fails. Resets random numbers, so that equal requests give
/// equal frames.
frei0r_instance *frei0r_construct(const frei0r_plugin *plugin, int width, int height);
void frei0r_destruct(frei0r_instance *instance);

void frei0r_get(frei0r_instance *instance, int index, int kind, frei0r_value *value);
void frei0r_set(frei0r_instance *instance, int index, int kind, const frei0r_value *value);

/// The frame of input `index` (0 … 2), to be written before an update; rows without padding.
uint32_t *frei0r_input(frei0r_instance *instance, int index);
/// The frame made by the last update.
const uint32_t *frei0r_output(const frei0r_instance *instance);
/// Makes the frame for a time. Returns false if the plugin wrote outside its frame.
bool frei0r_update(frei0r_instance *instance, double seconds);
