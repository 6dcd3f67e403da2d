// The frei0r plugin interface, in our own words, and a loader. Nothing of frei0r's is needed to build: plugins are found and
// opened at run time.
//
// A frei0r plugin is a shared library with ten C functions. It makes pictures of 4 bytes a pixel, width and height multiples
// of 8, rows without padding, planes 16-byte aligned; times are seconds. It says nothing about threads: one plugin is asked
// one thing at a time here.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// What a plugin does.
  FREI0R_FILTER = 0, FREI0R_SOURCE = 1, FREI0R_MIXER2 = 2, FREI0R_MIXER3 = 3,
  /// Order of the bytes of a pixel; the last is for plugins that treat all four alike.
  FREI0R_BGRA = 0, FREI0R_RGBA = 1, FREI0R_PACKED = 2,
  /// Types of parameters.
  FREI0R_BOOL = 0, FREI0R_NUMBER = 1, FREI0R_COLOR = 2, FREI0R_POSITION = 3, FREI0R_TEXT = 4,
};

/// What a plugin says about itself; texts are the plugin's own and stay.
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

/// What a plugin says about a parameter.
typedef struct frei0r_parameter {
  const char *name;
  int32_t kind;
  const char *explanation;
} frei0r_parameter;

/// A value of any type. Numbers stand in `numbers`: one for bool and number, two for a position, three for a color.
typedef struct frei0r_value {
  double numbers[3];
  const char *text;
} frei0r_value;

/// An opened plugin; never closed, because plugins leave threads and exit handlers behind.
typedef struct frei0r_plugin frei0r_plugin;
/// One instance for one size.
typedef struct frei0r_instance frei0r_instance;

/// Opens a plugin and initializes it. NULL with a sentence in `reason` where that does not work.
frei0r_plugin *frei0r_open(const char *path, char *reason, size_t capacity);

void frei0r_describe(const frei0r_plugin *plugin, frei0r_information *information);
void frei0r_describe_parameter(const frei0r_plugin *plugin, int index, frei0r_parameter *parameter);

/// Makes an instance for pictures of `width` × `height`, multiples of 8; NULL where the plugin does not.
/// Random numbers begin anew, so that the same requests give the same pictures.
frei0r_instance *frei0r_construct(const frei0r_plugin *plugin, int width, int height);
void frei0r_destruct(frei0r_instance *instance);

void frei0r_get(frei0r_instance *instance, int index, int kind, frei0r_value *value);
void frei0r_set(frei0r_instance *instance, int index, int kind, const frei0r_value *value);

/// The picture that input `index` (0 … 2) is written to before an update; rows without padding.
uint32_t *frei0r_input(frei0r_instance *instance, int index);
/// The picture that the last update made.
const uint32_t *frei0r_output(const frei0r_instance *instance);
/// Makes the picture for a time. False where the plugin wrote outside its picture.
bool frei0r_update(frei0r_instance *instance, double seconds);
