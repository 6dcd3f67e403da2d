// The filters of libavfilter and their options.
#pragma once
#include "common.h"

/// A video or audio filter.
typedef struct cff_filter {
  const char *name;
  /// What it does; never NULL.
  const char *summary;
  /// Number of video inputs and outputs; -1 if it depends on options, or if there are audio pads.
  int32_t input_count, output_count;
  /// Whether it has one audio input and one audio output, whatever its options.
  bool is_audio;
  /// Whether it can be limited to some times (`enable`).
  bool has_timeline;
} cff_filter;

/// The type of an option's value.
typedef enum cff_option_kind {
  CFF_OPTION_BOOL,
  CFF_OPTION_INTEGER,
  CFF_OPTION_NUMBER,
  CFF_OPTION_SECONDS,
  CFF_OPTION_COLOR,
  CFF_OPTION_TEXT,
} cff_option_kind;

/// An option of a filter.
typedef struct cff_option {
  const char *name;
  /// What it does; never NULL.
  const char *summary;
  cff_option_kind kind;
  double minimum, maximum;
  /// Default value of a string or color; NULL if there is none.
  const char *default_text;
  /// Default value of other types; seconds for a duration.
  double default_number;
  /// Whether the option has named values.
  bool has_words;
  /// Whether only named values are accepted, and not the numbers between them.
  bool is_choice;
  /// Whether the value can change while a graph runs.
  bool is_runtime;
} cff_option;

/// Iterates over the filters: `*state` starts as NULL. Returns false after the last one.
bool cff_filter_next(void **state, cff_filter *filter);

/// Finds the filter of a name; returns false if there is none.
bool cff_filter_find(const char *name, cff_filter *filter);

/// Option `index` of a filter, without aliases. Returns false after the last one.
bool cff_filter_option(const char *filter, int index, cff_option *option);

/// Alias `index` of an option; NULL after the last one.
const char *cff_option_alias(const char *filter, const char *option, int index);

/// Name `index` of an option's values, and its number. Returns NULL after the last one.
const char *cff_option_word(const char *filter, const char *option, int index, int64_t *value);

/// Version of libavfilter: major · 2¹⁶ + minor · 2⁸ + micro.
int64_t cff_filter_version(void);
