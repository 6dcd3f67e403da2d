// Encoder libraries are dependencies of libavcodec, not of this package, so they are looked up among the shared libraries that the process has
// loaded.
#define _GNU_SOURCE
#include "versions.h"

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

cff_library cff_library_at(int index) {
  const struct {
    const char *name;
    unsigned version;
  } libraries[] = {
    {"libavcodec", avcodec_version()},   {"libavfilter", avfilter_version()},     {"libavformat", avformat_version()},
    {"libavutil", avutil_version()},     {"libswresample", swresample_version()}, {"libswscale", swscale_version()},
  };
  if (index < 0 || (size_t)index >= sizeof libraries / sizeof *libraries) return (cff_library){0};
  unsigned version = libraries[index].version;
  return (cff_library){
    libraries[index].name, (int32_t)(version >> 16), (int32_t)(version >> 8 & 255), (int32_t)(version & 255)};
}

const char *cff_build_name(void) { return av_version_info(); }

typedef struct search {
  const char *prefix;
  char name[64];
} search;

static int look_at(struct dl_phdr_info *file, size_t size, void *state) {
  (void)size;
  search *wanted = state;
  const char *slash = strrchr(file->dlpi_name, '/');
  const char *name = slash ? slash + 1 : file->dlpi_name;
  if (strncmp(name, wanted->prefix, strlen(wanted->prefix)) != 0) return 0;
  snprintf(wanted->name, sizeof wanted->name, "%s", name);
  return 1;
}

/// The version that a library reports; NULL if it reports none.
static const char *stated(const char *function, const char *variable) {
  if (function) {
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, function);
    return version ? version() : NULL;
  }
  const char *const *text = variable ? dlsym(RTLD_DEFAULT, variable) : NULL;
  return text ? *text : NULL;
}

bool cff_encoder_library(const char *encoder, char *text, size_t size) {
  static const struct {
    const char *encoder, *file, *function, *variable;
  } known[] = {
    {"libx264", "libx264.so", NULL, NULL},
    {"libx265", "libx265.so", NULL, "x265_version_str"},
    {"libaom-av1", "libaom.so", "aom_codec_version_str", NULL},
    {"libvpx-vp9", "libvpx.so", "vpx_codec_version_str", NULL},
    {"libopus", "libopus.so", "opus_get_version_string", NULL},
    {"libmp3lame", "libmp3lame.so", "get_lame_version", NULL},
    {"libwebp_anim", "libwebp.so", NULL, NULL},
  };
  for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
    if (strcmp(known[index].encoder, encoder) != 0) continue;
    search wanted = {.prefix = known[index].file};
    dl_iterate_phdr(look_at, &wanted);
    const char *version = stated(known[index].function, known[index].variable);
    if (!wanted.name[0] && !version) return false;
    snprintf(text, size, "%s%s%s", wanted.name, wanted.name[0] && version ? " " : "", version ? version : "");
    return true;
  }
  return false;
}
