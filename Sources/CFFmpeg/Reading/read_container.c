// A demuxer's container: opening, rewinding and closing.
#include "Measuring/read_frame_sizes.h"

#include <string.h>
#include <unistd.h>

static cff_status keep_container_tags(cff_demuxer *demuxer, cff_failure *failure) {
  unsigned count = demuxer->format->nb_streams;
  if (count == 0) return CFF_OK;
  demuxer->container_tags = av_calloc(count, sizeof *demuxer->container_tags);
  if (!demuxer->container_tags) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  demuxer->container_tags_count = (int)count;
  for (unsigned i = 0; i < count; i++) {
    const AVCodecParameters *p = demuxer->format->streams[i]->codecpar;
    demuxer->container_tags[i] =
        (cff_tags){p->color_primaries, p->color_trc, p->color_space, p->color_range, p->chroma_location};
  }
  return CFF_OK;
}

/// Raw bitstreams have no times. Their rate is the one that they state (in H.264 and HEVC, the VUI; in MPEG-2, the sequence header), or libavformat's default of 25.
static void find_counting(cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  demuxer->counts_frames = false;
  if (!demuxer->traits.is_bitstream || format->nb_streams != 1) return;
  const AVStream *stream = format->streams[0];
  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) return;
  // libavformat's average counts repeated fields at the beginning only.
  AVRational rate = cff_sequence_rate(demuxer);
  if (rate.num <= 0) rate = stream->avg_frame_rate.num > 0 ? stream->avg_frame_rate : stream->r_frame_rate;
  demuxer->counts_frames = true;
  demuxer->frame_rate = rate.num > 0 && rate.den > 0 ? rate : (AVRational){25, 1};
}

int64_t cff_counted_time(const cff_demuxer *demuxer, int64_t field_count) {
  AVRational field = av_mul_q(av_inv_q(demuxer->frame_rate), (AVRational){1, 2});
  return av_rescale_q(field_count, field, demuxer->format->streams[0]->time_base);
}

static void find_unstated_delay(cff_demuxer *demuxer) {
  AVFormatContext *format = demuxer->format;
  demuxer->undelayed_stream = -1;
  const AVDictionaryEntry *encoder = av_dict_get(format->metadata, "encoder", NULL, 0);
  bool is_copied = encoder && strncmp(encoder->value, "Lav", 3) == 0 && demuxer->traits.drops_unstated_delay;
  enum { decoder_delay = 529 };
  for (unsigned i = 0; is_copied && i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    int rate = stream->codecpar->sample_rate;
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || rate <= 0 || stream->start_time == AV_NOPTS_VALUE) continue;
    if (av_rescale_q(stream->start_time, stream->time_base, (AVRational){1, rate}) == decoder_delay) demuxer->undelayed_stream = (int)i;
  }
}

/// Start times can change while packets are read, so the origin is determined when the file is opened.
static void keep_origin(cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  const AVStream *earliest = NULL;
  bool starts_at_zero = demuxer->traits.starts_at_zero || demuxer->counts_frames || demuxer->undelayed_stream >= 0 || cff_lacks_first_pages(demuxer);
  for (unsigned i = 0; i < format->nb_streams && !starts_at_zero; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if ((type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) || stream->start_time == AV_NOPTS_VALUE) continue;
    if (!earliest ||
        av_compare_ts(stream->start_time, stream->time_base, earliest->start_time, earliest->time_base) < 0) {
      earliest = stream;
    }
  }
  demuxer->origin = earliest ? earliest->start_time : 0;
  demuxer->origin_tick = earliest ? earliest->time_base : (AVRational){1, 1};
}

/// The demuxer of a file that starts with a JPEG: libavformat's probing takes a stream of them for a single image.
static const AVInputFormat *forced_format(const cff_demuxer *demuxer) {
  uint8_t start[3];
  bool is_jpeg = pread(demuxer->descriptor, start, sizeof start, 0) == sizeof start && start[0] == 0xff && start[1] == 0xd8 &&
                 start[2] == 0xff;
  return is_jpeg ? av_find_input_format("mjpeg") : NULL;
}

/// Reads the beginning until the tracks are known, and remembers them.
static cff_status find_streams(cff_demuxer *demuxer, cff_failure *failure) {
  AVCodecParameters **declared = cff_declared_streams(demuxer);
  int declared_count = (int)demuxer->format->nb_streams;
  int result = avformat_find_stream_info(demuxer->format, NULL);
  if (demuxer->read_error || result < 0 || (int)demuxer->format->nb_streams != declared_count) {
    cff_free_declared(&declared, declared_count);
  }
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  if (result < 0) return cff_fail_parsing(failure, result, "the tracks cannot be read");
  cff_remember_streams(demuxer, &declared);
  return CFF_OK;
}

/// Opens the container with the demuxer's options, which are freed.
static cff_status open_format(cff_demuxer *demuxer, AVDictionary *options, cff_failure *failure) {
  AVIOContext *io = demuxer->format->pb;
  int result = cff_allow_containers(&options);
  if (result >= 0) result = av_dict_set(&options, "protocol_whitelist", "file", 0);
  if (result >= 0) {
    // The name is only a hint for the format: reading goes through our own descriptor.
    result = avformat_open_input(&demuxer->format, demuxer->name, forced_format(demuxer), &options);
  } else {
    avformat_free_context(demuxer->format);
    demuxer->format = NULL;
  }
  av_dict_free(&options);
  if (result >= 0) {
    demuxer->traits = cff_traits_of(demuxer->format->iformat);
    return CFF_OK;
  }
  // A failed open frees the context but not our reader.
  av_freep(&io->buffer);
  avio_context_free(&io);
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  return cff_fail_parsing(failure, result, "the container cannot be read");
}

/// Opens the container from its first whole frame.
static cff_status open_from_frame(cff_demuxer *demuxer, cff_failure *failure) {
  demuxer->position = 0;
  cff_status status = cff_allocate_format(demuxer, failure);
  if (status == CFF_OK) status = open_format(demuxer, NULL, failure);
  if (status != CFF_OK || !demuxer->traits.may_begin_within_frame || demuxer->media_start > 0) return status;
  demuxer->media_start = cff_first_frame(demuxer);
  if (demuxer->media_start == 0) return status;
  cff_close_format(demuxer);
  return open_from_frame(demuxer, failure);
}

static cff_status open_container(cff_demuxer *demuxer, cff_failure *failure) {
  demuxer->read_error = 0;
  cff_forget_decoding_times(demuxer);
  cff_forget_gap_packets(demuxer, true);
  cff_status status = open_from_frame(demuxer, failure);
  if (status != CFF_OK) return status;
  // Sections of the clock replace libav's overflow correction, which only examines the beginning.
  if (cff_demuxer_has_sections(demuxer)) demuxer->format->correct_ts_overflow = 0;
  status = keep_container_tags(demuxer, failure);
  if (status != CFF_OK) return status;
  if (demuxer->reads_header_only) {
    demuxer->format->flags |= AVFMT_FLAG_NOPARSE;
  } else if (!cff_recall_streams(demuxer)) {
    status = find_streams(demuxer, failure);
    if (status != CFF_OK) return status;
  }
  find_counting(demuxer);
  find_unstated_delay(demuxer);
  keep_origin(demuxer);
  cff_find_opus_shift(demuxer);
  cff_find_gapless(demuxer);
  cff_find_moved_packets(demuxer);
  return cff_start_sections(demuxer, failure);
}

static cff_status open_demuxer(const char *path, bool reads_header_only, cff_demuxer **result, cff_failure *failure) {
  cff_prepare();
  *result = NULL;
  cff_demuxer *demuxer = av_mallocz(sizeof *demuxer);
  if (!demuxer) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  demuxer->descriptor = -1;
  demuxer->reads_header_only = reads_header_only;
  const char *slash = strrchr(path, '/');
  demuxer->name = av_strdup(slash ? slash + 1 : path);
  if (!demuxer->name) {
    cff_demuxer_close(demuxer);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  cff_status status = cff_open_regular_file(demuxer, path, failure);
  if (status == CFF_OK) status = open_container(demuxer, failure);
  if (status != CFF_OK) {
    cff_demuxer_close(demuxer);
    return status;
  }
  *result = demuxer;
  return CFF_OK;
}

cff_status cff_demuxer_open(const char *path, cff_demuxer **result, cff_failure *failure) {
  return open_demuxer(path, false, result, failure);
}

cff_status cff_demuxer_open_header(const char *path, cff_demuxer **result, cff_failure *failure) {
  return open_demuxer(path, true, result, failure);
}

bool cff_open_media(cff_demuxer *demuxer) {
  cff_failure failure;
  AVDictionary *options = NULL;
  demuxer->position = 0;
  if (cff_allocate_format(demuxer, &failure) != CFF_OK) return false;
  av_dict_set_int(&options, "ignore_editlist", 1, 0);
  return open_format(demuxer, options, &failure) == CFF_OK;
}

void cff_close_format(cff_demuxer *demuxer) {
  demuxer->traits = (cff_container_traits){0};
  if (!demuxer->format) return;
  AVIOContext *io = demuxer->format->pb;
  avformat_close_input(&demuxer->format);
  if (!io) return;
  av_freep(&io->buffer);
  avio_context_free(&io);
}

static void close_container(cff_demuxer *demuxer) {
  cff_close_format(demuxer);
  av_freep(&demuxer->container_tags);
  demuxer->container_tags_count = 0;
  cff_stop_sections(demuxer);
}

cff_status cff_demuxer_rewind(cff_demuxer *demuxer, cff_failure *failure) {
  close_container(demuxer);
  return open_container(demuxer, failure);
}

void cff_demuxer_close(cff_demuxer *demuxer) {
  if (!demuxer) return;
  close_container(demuxer);
  cff_stamps_free(demuxer);
  cff_size_accounts_free(demuxer);
  cff_counters_free(demuxer);
  cff_page_gaps_free(demuxer);
  cff_stop_counting_packets(demuxer);
  cff_moved_packets_free(&demuxer->moved_packets);
  av_freep(&demuxer->sections);
  if (demuxer->descriptor >= 0) close(demuxer->descriptor);
  av_free(demuxer->name);
  av_free(demuxer);
}
