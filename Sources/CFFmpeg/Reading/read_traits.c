#include "Reading/read_traits.h"

#include <libavutil/avstring.h>

/// A container that is read, by libavformat's names of it.
typedef struct container {
  const char *names;
  cff_container_traits traits;
} container;

// Playlists, image patterns, network and device formats are excluded, because each can make libav open something else. Still images are decoded from memory,
// without a demuxer.
static const container containers[] = {
    {"mov,mp4,m4a,3gp,3g2,mj2",
     {.starts_at_zero = true,
      .has_one_clock = true,
      .has_edit_lists = true,
      .has_sample_table = true,
      .may_list_item = true,
      .stated_duration = CFF_DURATION_OF_TRACK,
      .counts_samples = true,
      .may_have_itunes_tag = true}},
    {"matroska,webm",
     {.has_one_clock = true,
      .stated_duration = CFF_DURATION_OF_FILE,
      .may_state_last_time = true,
      .promises_duration = true,
      .has_no_padding = true,
      .states_codec_delay = true}},
    {"avi", {.starts_at_zero = true, .numbers_packets = true, .promises_duration = true}},
    {"mpegts", {.has_33_bit_clock = true, .has_transport_packets = true, .has_no_padding = true}},
    {"mpeg", {.has_33_bit_clock = true, .omits_times = true}},
    {"flv", {.promises_duration = true, .has_no_padding = true}},
    {"live_flv", {0}},
    {"ogg,oga,ogv,opus", {.has_no_padding = true, .has_pages = true, .may_misplace_flac = true}},
    {"asf", {.rounds_durations_down = true}},
    {"mxf", {.has_no_padding = true}},
    {"nut", {.has_no_padding = true}},
    {"ivf", {.has_no_padding = true}},
    {"dv", {0}},
    {"yuv4mpegpipe", {0}},

    // Bitstreams of video.
    {"mpegvideo", {.is_bitstream = true, .has_mpeg_headers = true}},
    {"m4v", {.is_bitstream = true}},
    {"h264", {.is_bitstream = true}},
    {"hevc", {.is_bitstream = true}},
    {"vc1", {.is_bitstream = true}},
    {"mjpeg", {.is_bitstream = true}},
    {"obu", {.is_bitstream = true}},
    {"av1", {.is_bitstream = true}},

    // Audio.
    {"wav", {.promises_duration = true, .counts_samples = true, .jumps_by_bytes = true}},
    {"w64", {.promises_duration = true, .counts_samples = true, .jumps_by_bytes = true}},
    {"aiff", {.promises_duration = true, .counts_samples = true, .jumps_by_bytes = true}},
    {"au", {.promises_duration = true, .counts_samples = true, .jumps_by_bytes = true}},
    {"caf", {.promises_duration = true, .counts_samples = true, .counts_whole_packets = true, .has_packet_table = true}},
    {"flac", {.promises_duration = true, .promises_samples = true, .ends_with_checksum = true}},
    {"tta", {.promises_samples = true}},
    {"wv", {.promises_samples = true}},
    {"mp3", {.is_searched_for_headers = true, .has_tags = true, .drops_unstated_delay = true}},
    {"aac", {.is_searched_for_headers = true, .may_begin_within_frame = true}},
    {"ac3", {.is_searched_for_headers = true, .may_begin_within_frame = true}},
    {"eac3", {.is_searched_for_headers = true, .may_begin_within_frame = true}},
    {"amr", {0}},

    // Animations.
    {"gif", {.stated_duration = CFF_DURATION_OF_FRAME}},
    {"apng", {.stated_duration = CFF_DURATION_OF_FRAME}},
    {"jpegxl_anim", {0}},
};

enum { container_count = sizeof containers / sizeof *containers };

cff_container_traits cff_traits_of(const AVInputFormat *format) {
  for (int i = 0; i < container_count; i++) {
    if (av_match_list(format->name, containers[i].names, ',')) return containers[i].traits;
  }
  return (cff_container_traits){0};
}

int cff_allow_containers(AVDictionary **options) {
  int error = 0;
  for (int i = 0; i < container_count && error >= 0; i++) {
    if (i > 0) error = av_dict_set(options, "format_whitelist", ",", AV_DICT_APPEND);
    if (error >= 0) error = av_dict_set(options, "format_whitelist", containers[i].names, AV_DICT_APPEND);
  }
  return error;
}
