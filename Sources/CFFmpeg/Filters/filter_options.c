#include "filter_options.h"

#include <libavfilter/avfilter.h>
#include <libavutil/opt.h>
#include <string.h>

int64_t cff_filter_version(void) { return avfilter_version(); }

// MARK: filters

/// Number of pads if all are video, else -1.
static int32_t picture_pads(const AVFilter *filter, bool is_output) {
  if (filter->flags & (is_output ? AVFILTER_FLAG_DYNAMIC_OUTPUTS : AVFILTER_FLAG_DYNAMIC_INPUTS)) return -1;
  const AVFilterPad *pads = is_output ? filter->outputs : filter->inputs;
  int count = (int)avfilter_filter_pad_count(filter, is_output);
  for (int i = 0; i < count; i++)
    if (avfilter_pad_get_type(pads, i) != AVMEDIA_TYPE_VIDEO) return -1;
  return count;
}

/// Whether it has exactly one pad, for audio.
static bool has_audio_pad(const AVFilter *filter, bool is_output) {
  if (filter->flags & (is_output ? AVFILTER_FLAG_DYNAMIC_OUTPUTS : AVFILTER_FLAG_DYNAMIC_INPUTS)) return false;
  const AVFilterPad *pads = is_output ? filter->outputs : filter->inputs;
  return avfilter_filter_pad_count(filter, is_output) == 1 && avfilter_pad_get_type(pads, 0) == AVMEDIA_TYPE_AUDIO;
}

static void describe(const AVFilter *source, cff_filter *filter) {
  *filter = (cff_filter){
      .name = source->name,
      .summary = source->description ? source->description : "",
      .input_count = picture_pads(source, false),
      .output_count = picture_pads(source, true),
      .is_audio = has_audio_pad(source, false) && has_audio_pad(source, true),
      .has_timeline = source->flags & AVFILTER_FLAG_SUPPORT_TIMELINE,
  };
}

bool cff_filter_next(void **state, cff_filter *filter) {
  const AVFilter *next = av_filter_iterate(state);
  if (next) describe(next, filter);
  return next != NULL;
}

bool cff_filter_find(const char *name, cff_filter *filter) {
  const AVFilter *found = avfilter_get_by_name(name);
  if (found) describe(found, filter);
  return found != NULL;
}

// MARK: options

static const AVClass *class_of(const char *name) {
  const AVFilter *filter = avfilter_get_by_name(name);
  return filter ? filter->priv_class : NULL;
}

static bool is_settable(const AVOption *option) {
  return option->type != AV_OPT_TYPE_CONST && (option->flags & AV_OPT_FLAG_FILTERING_PARAM) &&
         !(option->flags & (AV_OPT_FLAG_READONLY | AV_OPT_FLAG_DEPRECATED));
}

/// Whether an earlier option sets the same field.
static bool is_alias(const AVOption *first, const AVOption *option) {
  for (const AVOption *other = first; other != option; other++)
    if (is_settable(other) && other->offset == option->offset) return true;
  return false;
}

static bool is_whole(enum AVOptionType type) {
  return type == AV_OPT_TYPE_INT || type == AV_OPT_TYPE_INT64 || type == AV_OPT_TYPE_UINT64;
}

static cff_option_kind kind_of(enum AVOptionType type) {
  switch (type) {
  case AV_OPT_TYPE_BOOL: return CFF_OPTION_BOOL;
  case AV_OPT_TYPE_INT:
  case AV_OPT_TYPE_INT64:
  case AV_OPT_TYPE_UINT64: return CFF_OPTION_INTEGER;
  case AV_OPT_TYPE_DOUBLE:
  case AV_OPT_TYPE_FLOAT: return CFF_OPTION_NUMBER;
  case AV_OPT_TYPE_DURATION: return CFF_OPTION_SECONDS;
  case AV_OPT_TYPE_COLOR: return CFF_OPTION_COLOR;
  default: return CFF_OPTION_TEXT;
  }
}

/// The number of names in `option`'s unit. In a choice, every number of a small range has a name.
static int count_words(const AVOption *first, const AVOption *option) {
  int count = 0;
  if (!option->unit) return 0;
  for (const AVOption *other = first; other->name; other++)
    count += other->type == AV_OPT_TYPE_CONST && other->unit && !strcmp(other->unit, option->unit);
  return count;
}

static void describe_option(const AVOption *first, const AVOption *source, cff_option *option) {
  int words = count_words(first, source);
  *option = (cff_option){
      .name = source->name,
      .summary = source->help ? source->help : "",
      .kind = kind_of(source->type),
      .minimum = source->min,
      .maximum = source->max,
      .has_words = words > 0,
      .is_runtime = (source->flags & AV_OPT_FLAG_RUNTIME_PARAM) != 0,
      .is_choice = words > 0 && is_whole(source->type) && source->max - source->min < words,
  };
  switch (option->kind) {
  case CFF_OPTION_BOOL:
  case CFF_OPTION_INTEGER: option->default_number = (double)source->default_val.i64; break;
  case CFF_OPTION_NUMBER: option->default_number = source->default_val.dbl; break;
  case CFF_OPTION_SECONDS:
    option->default_number = (double)source->default_val.i64 / 1e6;
    option->minimum /= 1e6;
    option->maximum /= 1e6;
    break;
  case CFF_OPTION_COLOR: option->default_text = source->default_val.str; break;
  case CFF_OPTION_TEXT:
    // Flags, formats, sizes and rates are written as strings, but only real strings have a default of that type.
    if (source->type == AV_OPT_TYPE_STRING || source->type == AV_OPT_TYPE_IMAGE_SIZE ||
        source->type == AV_OPT_TYPE_VIDEO_RATE)
      option->default_text = source->default_val.str;
    break;
  }
}

bool cff_filter_option(const char *filter, int index, cff_option *option) {
  const AVClass *class = class_of(filter);
  const AVOption *first = class ? class->option : NULL;
  for (const AVOption *source = first; source && source->name; source++) {
    if (!is_settable(source) || is_alias(first, source) || index-- > 0) continue;
    describe_option(first, source, option);
    return true;
  }
  return false;
}

const char *cff_option_word(const char *filter, const char *option, int index, int64_t *value) {
  const AVClass *class = class_of(filter);
  const AVOption *first = class ? class->option : NULL;
  const char *unit = NULL;
  for (const AVOption *source = first; source && source->name && !unit; source++)
    if (is_settable(source) && !strcmp(source->name, option)) unit = source->unit;
  for (const AVOption *source = first; unit && source->name; source++) {
    if (source->type != AV_OPT_TYPE_CONST || !source->unit || strcmp(source->unit, unit) || index-- > 0) continue;
    *value = source->default_val.i64;
    return source->name;
  }
  return NULL;
}

const char *cff_option_alias(const char *filter, const char *option, int index) {
  const AVClass *class = class_of(filter);
  const AVOption *first = class ? class->option : NULL, *named = NULL;
  for (const AVOption *source = first; source && source->name && !named; source++)
    if (is_settable(source) && !strcmp(source->name, option)) named = source;
  for (const AVOption *source = named; source && source->name; source++)
    if (source != named && is_settable(source) && source->offset == named->offset && index-- == 0) return source->name;
  return NULL;
}
