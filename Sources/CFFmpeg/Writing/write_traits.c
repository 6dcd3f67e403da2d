#include "Writing/write_traits.h"

#include <libavutil/avstring.h>
#include <stddef.h>

/// Muxers of containers with the same traits, by libavformat's names of them.
typedef struct container {
  const char *names;
  cff_output_traits traits;
} container;

static const container containers[] = {
    {"mov,mp4,ipod", {.has_quicktime_tags = true, .holds_matrix = true}},
    {"matroska,webm",
     {.may_hold_angle = true,
      .holds_alpha_layer = true,
      .holds_durations = true,
      .states_codec_delay = true,
      .cover = CFF_COVER_ATTACHMENT}},
    {"ogg,opus", {.has_vorbis_comments = true, .cover = CFF_COVER_COMMENT}},
    {"flac", {.has_vorbis_comments = true}},
    {"gif", {.repeats_last_duration = true}},
};

cff_output_traits cff_output_traits_of(const char *muxer) {
  for (size_t i = 0; i < sizeof containers / sizeof *containers; i++) {
    if (av_match_name(muxer, containers[i].names)) return containers[i].traits;
  }
  return (cff_output_traits){0};
}
