// Which filters libavfilter has, and what can be set on them.
#pragma once
#include "common.h"

/// A filter of pictures or of audio.
typedef struct cff_filter {
  const char *name;
  /// What it does; never NULL.
  const char *summary;
  /// Pictures in and out; -1 where that depends on its options, or where sound is among them.
  int32_t input_count, output_count;
  /// Whether it takes one audio input and gives one audio output, whatever its options.
  bool is_audio;
  /// Whether its work can be limited to some times (`enable`).
  bool has_timeline;
} cff_filter;

/// What kind of value an option takes.
typedef enum cff_option_kind {
  CFF_OPTION_BOOL,
  CFF_OPTION_INTEGER,
  CFF_OPTION_NUMBER,
  CFF_OPTION_SECONDS,
  CFF_OPTION_COLOR,
  CFF_OPTION_TEXT,
} cff_option_kind;

/// One thing that can be set on a filter.
typedef struct cff_option {
  const char *name;
  /// What it does; never NULL.
  const char *summary;
  cff_option_kind kind;
  double minimum, maximum;
  /// Of a text or a color; NULL where there is none.
  const char *default_text;
  /// Of everything else; seconds for a duration.
  double default_number;
  /// Whether words stand for some values.
  bool has_words;
  /// Whether only the words are values, and not the numbers between them.
  bool is_choice;
  /// Whether a graph takes new values while it works.
  bool is_runtime;
} cff_option;

/// Goes through the filters: `*state` begins as NULL. Returns false past the last one.
bool cff_filter_next(void **state, cff_filter *filter);

/// The filter of a name; false where there is none.
bool cff_filter_find(const char *name, cff_filter *filter);

/// Option `index` of a filter, other names of the same option left out. Returns false past the last one.
bool cff_filter_option(const char *filter, int index, cff_option *option);

/// Another name `index` of an option; NULL past the last one.
const char *cff_option_alias(const char *filter, const char *option, int index);

/// Word `index` of an option, and the number it stands for. Returns NULL past the last one.
const char *cff_option_word(const char *filter, const char *option, int index, int64_t *value);

/// Version of libavfilter: major · 2¹⁶ + minor · 2⁸ + micro.
int64_t cff_filter_version(void);
