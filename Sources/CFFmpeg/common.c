#include "common_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Playlists, image patterns, network and device formats are excluded, because each can make libav open something else. Still images are decoded from memory,
// without a demuxer.
static const char allowed_formats[] =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,live_flv,ogg,oga,ogv,wav,w64,aiff,au,caf,flac,mp3,"
    "aac,ac3,eac3,opus,mxf,gif,apng,ivf,obu,av1,dv,asf,nut,h264,hevc,m4v,mjpeg,vc1,yuv4mpegpipe,wv,tta,amr,"
    "jpegxl_anim";

static void silence(void) { av_log_set_level(AV_LOG_QUIET); }

void cff_prepare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, silence);
}

const char *cff_failure_message(const cff_failure *failure) { return failure->message; }

int cff_codec_version_major(void) { return (int)(avcodec_version() >> 16); }

cff_status cff_fail(cff_failure *failure, cff_status status, const char *format, ...) {
  if (failure) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
    va_end(arguments);
    failure->status = status;
    failure->system_error = 0;
  }
  return status;
}

static cff_status status_of(int error, cff_status fallback) {
  switch (error) {
  case AVERROR(ENOMEM): return CFF_NO_RESOURCE;
  case AVERROR(ENOENT): return CFF_NOT_FOUND;
  case AVERROR_DECODER_NOT_FOUND: return CFF_NO_DECODER;
  case AVERROR_ENCODER_NOT_FOUND: return CFF_NO_ENCODER;
  default: return fallback;
  }
}

cff_status cff_fail_av(cff_failure *failure, int error, cff_status fallback, const char *what) {
  char reason[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(error, reason, sizeof reason);
  return cff_fail(failure, status_of(error, fallback), "%s: %s", what, reason);
}

bool cff_is_out_of_memory(int error) {
  enum { plenty = 8 << 20 };
  if (error != AVERROR(ENOMEM)) return false;
  // libav reports impossible lengths with the same error. If this memory is available, lack of memory was not the reason.
  void *memory = av_malloc(plenty);
  av_free(memory);
  return !memory;
}

cff_status cff_fail_parsing(cff_failure *failure, int error, const char *what) {
  if (error != AVERROR(ENOMEM) || cff_is_out_of_memory(error)) return cff_fail_av(failure, error, CFF_UNREADABLE, what);
  return cff_fail(failure, CFF_UNREADABLE, "%s: a length in it is damaged", what);
}

cff_status cff_fail_read(const cff_demuxer *demuxer, cff_failure *failure) {
  if (demuxer->has_changed) return cff_fail(failure, CFF_CHANGED, "the file was written to or replaced while it was in use");
  if (demuxer->read_error == AVERROR(ENOMEM)) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  char reason[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(demuxer->read_error, reason, sizeof reason);
  return cff_fail(failure, CFF_IO_FAILED, "%s, near byte %lld", reason, (long long)demuxer->position);
}

// MARK: the file

static cff_file_identity identity_of(const struct stat *information) {
  return (cff_file_identity){(uint64_t)information->st_dev, (uint64_t)information->st_ino, information->st_size,
                             information->st_mtim.tv_sec, information->st_mtim.tv_nsec};
}

bool cff_same_identity(const cff_file_identity *left, const cff_file_identity *right) {
  return left->device == right->device && left->inode == right->inode && left->byte_count == right->byte_count &&
         left->modified_seconds == right->modified_seconds && left->modified_nanoseconds == right->modified_nanoseconds;
}

bool cff_identify_file(const char *path, cff_file_identity *identity) {
  struct stat information;
  if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return false;
  *identity = identity_of(&information);
  return true;
}

cff_file_identity cff_demuxer_identity(const cff_demuxer *demuxer) { return demuxer->identity; }

void cff_demuxer_forbid_change(cff_demuxer *demuxer) { demuxer->forbids_change = true; }

/// Checked after each read, so that nothing written meanwhile is mistaken for the file's own contents.
static bool notes_change(cff_demuxer *demuxer) {
  struct stat information;
  if (!demuxer->forbids_change || fstat(demuxer->descriptor, &information) != 0) return false;
  cff_file_identity now = identity_of(&information);
  demuxer->has_changed = demuxer->has_changed || !cff_same_identity(&now, &demuxer->identity);
  return demuxer->has_changed;
}

static int read_file(void *opaque, uint8_t *buffer, int count) {
  cff_demuxer *demuxer = opaque;
  ssize_t got;
  do {
    got = pread(demuxer->descriptor, buffer, (size_t)count, demuxer->position);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return demuxer->read_error = AVERROR(errno);
  if (notes_change(demuxer)) return demuxer->read_error = AVERROR(ESTALE);
  if (got == 0) return AVERROR_EOF;
  demuxer->position += got;
  return (int)got;
}

static int64_t seek_file(void *opaque, int64_t offset, int whence) {
  cff_demuxer *demuxer = opaque;
  if (whence & AVSEEK_SIZE) return demuxer->file_size;
  int64_t base = 0;
  switch (whence & ~AVSEEK_FORCE) {
  case SEEK_SET: break;
  case SEEK_CUR: base = demuxer->position; break;
  case SEEK_END: base = demuxer->file_size; break;
  default: return AVERROR(EINVAL);
  }
  int64_t position;
  if (__builtin_add_overflow(base, offset, &position) || position < 0) return AVERROR(EINVAL);
  demuxer->position = position;
  return position;
}

static int refuse_nested_open(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)format, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EPERM);
}

static bool looks_like_url(const char *path) {
  size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-_,");
  return length > 1 && path[length] == ':';
}

static cff_status status_of_opening(int number) {
  switch (number) {
  case EIO: case ESTALE: case ETIMEDOUT: return CFF_IO_FAILED;
  case ENOMEM: case EMFILE: case ENFILE: return CFF_NO_RESOURCE;
  default: return CFF_UNREADABLE;
  }
}

static cff_status open_regular_file(const char *path, cff_demuxer *demuxer, cff_failure *failure) {
  struct stat information;
  if (stat(path, &information) != 0) {
    if (looks_like_url(path)) return cff_fail(failure, CFF_REFUSED, "an address is not a local file");
    if (errno == ENOENT || errno == ENOTDIR) return cff_fail(failure, CFF_NOT_FOUND, "%s", strerror(errno));
    return cff_fail(failure, status_of_opening(errno), "%s", strerror(errno));
  }
  // Checked before opening, because opening alone can act on a device or wait for a pipe's other end.
  if (!S_ISREG(information.st_mode)) return cff_fail(failure, CFF_REFUSED, "not a regular file");
  demuxer->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (demuxer->descriptor < 0) return cff_fail(failure, status_of_opening(errno), "%s", strerror(errno));
  // Checked again afterward, because the name may refer to something else by then.
  if (fstat(demuxer->descriptor, &information) != 0 || !S_ISREG(information.st_mode)) {
    return cff_fail(failure, CFF_REFUSED, "not a regular file");
  }
  demuxer->file_size = information.st_size;
  demuxer->identity = identity_of(&information);
  if (demuxer->file_size == 0) return cff_fail(failure, CFF_UNREADABLE, "the file is empty");
  return CFF_OK;
}

// MARK: the container

static cff_status allocate_format(cff_demuxer *demuxer, cff_failure *failure) {
  enum { buffer_size = 1 << 16 };
  demuxer->format = avformat_alloc_context();
  uint8_t *buffer = av_malloc(buffer_size);
  AVIOContext *io = buffer ? avio_alloc_context(buffer, buffer_size, 0, demuxer, read_file, NULL, seek_file) : NULL;
  if (!demuxer->format || !io) {
    if (!io) av_free(buffer);
    else av_freep(&io->buffer), avio_context_free(&io);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  demuxer->format->pb = io;
  demuxer->format->flags |= AVFMT_FLAG_CUSTOM_IO;
  demuxer->format->io_open = refuse_nested_open;
  return CFF_OK;
}

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

/// Start times can change while packets are read, so the origin is determined when the file is opened.
static void keep_origin(cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  const AVStream *earliest = NULL;
  // MOV and MP4 have edit lists, AVI counts from 0.
  bool starts_at_zero = av_match_name("mov", format->iformat->name) || av_match_name("avi", format->iformat->name);
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

/// Number of samples at 48 kHz that an Opus decoder drops first; 0 for other tracks.
static int64_t opus_delay(const AVStream *stream) {
  const AVCodecParameters *p = stream->codecpar;
  return p->codec_id == AV_CODEC_ID_OPUS && p->extradata_size >= 12 ? AV_RL16(p->extradata + 10) : 0;
}

/// Whether libavformat wrote the container before version 59.31, which put CodecDelay (RFC 9559) into the times of Opus, or did not state its version.
static bool is_by_older_libavformat(const AVFormatContext *format) {
  const AVDictionaryEntry *encoder = av_dict_get(format->metadata, "encoder", NULL, 0);
  int major = 0, minor = 0;
  if (!encoder || strncmp(encoder->value, "Lavf", 4) != 0) return false;
  if (sscanf(encoder->value, "Lavf%d.%d", &major, &minor) < 2) return encoder->value[4] == 0;
  return major < 59 || (major == 59 && minor <= 30);
}

/// Such files subtract the delay of Opus twice: by the times of its blocks and by CodecDelay. As nothing may begin before 0, either all other tracks were
/// shifted by it, or Opus begins twice its delay before them. The distance reveals both cases.
static void find_opus_shift(cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  demuxer->opus_shift = (cff_opus_shift){0};
  if (!av_match_name("matroska", format->iformat->name) || !is_by_older_libavformat(format)) return;
  int64_t delay = 0, opus_start = INT64_MAX, others_start = INT64_MAX;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if ((type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) || stream->start_time == AV_NOPTS_VALUE) continue;
    int64_t start = av_rescale_q(stream->start_time, stream->time_base, AV_TIME_BASE_Q);
    if (opus_delay(stream) > 0) {
      delay = FFMAX(delay, av_rescale(opus_delay(stream), AV_TIME_BASE, 48000));
      opus_start = FFMIN(opus_start, start);
    } else {
      others_start = FFMIN(others_start, start);
    }
  }
  // Times are in milliseconds, each of them rounded.
  enum { tolerance = 1500 };
  if (delay <= 2 * tolerance || opus_start > tolerance - delay) return;
  if (opus_start >= -delay - tolerance && others_start < INT64_MAX && others_start >= delay - tolerance) {
    demuxer->opus_shift.others = delay;
  } else if (FFABS(opus_start + 2 * delay) <= tolerance) {
    demuxer->opus_shift.opus = -delay;
  }
}

/// The delay of a stream's times, in its own units.
static int64_t opus_shift(const cff_demuxer *demuxer, const AVStream *stream) {
  int64_t shift = opus_delay(stream) > 0 ? demuxer->opus_shift.opus : demuxer->opus_shift.others;
  return av_rescale_q(shift, AV_TIME_BASE_Q, stream->time_base);
}

static cff_status open_container(cff_demuxer *demuxer, cff_failure *failure) {
  demuxer->position = 0;
  demuxer->read_error = 0;
  cff_status status = allocate_format(demuxer, failure);
  if (status != CFF_OK) return status;
  AVIOContext *io = demuxer->format->pb;
  AVDictionary *options = NULL;
  av_dict_set(&options, "format_whitelist", allowed_formats, 0);
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  // The name is only a hint for the format: reading goes through our own descriptor.
  int result = avformat_open_input(&demuxer->format, demuxer->name, NULL, &options);
  av_dict_free(&options);
  if (result < 0) {
    // A failed open frees the context but not our reader.
    av_freep(&io->buffer);
    avio_context_free(&io);
    if (demuxer->read_error) return cff_fail_read(demuxer, failure);
    return cff_fail_parsing(failure, result, "the container cannot be read");
  }
  // Sections of the clock replace libav's overflow correction, which only examines the beginning.
  if (cff_demuxer_has_sections(demuxer)) demuxer->format->correct_ts_overflow = 0;
  status = keep_container_tags(demuxer, failure);
  if (status != CFF_OK) return status;
  if (demuxer->reads_header_only) {
    demuxer->format->flags |= AVFMT_FLAG_NOPARSE;
  } else if (!cff_recall_streams(demuxer)) {
    AVCodecParameters **declared = cff_declared_streams(demuxer);
    int declared_count = (int)demuxer->format->nb_streams;
    result = avformat_find_stream_info(demuxer->format, NULL);
    if (demuxer->read_error || result < 0 || (int)demuxer->format->nb_streams != declared_count) {
      cff_free_declared(&declared, declared_count);
    }
    if (demuxer->read_error) return cff_fail_read(demuxer, failure);
    if (result < 0) return cff_fail_parsing(failure, result, "the tracks cannot be read");
    cff_remember_streams(demuxer, &declared);
  }
  keep_origin(demuxer);
  find_opus_shift(demuxer);
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
  cff_status status = open_regular_file(path, demuxer, failure);
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

static void close_container(cff_demuxer *demuxer) {
  if (demuxer->format) {
    AVIOContext *io = demuxer->format->pb;
    avformat_close_input(&demuxer->format);
    if (io) {
      av_freep(&io->buffer);
      avio_context_free(&io);
    }
  }
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
  av_freep(&demuxer->sections);
  if (demuxer->descriptor >= 0) close(demuxer->descriptor);
  av_free(demuxer->name);
  av_free(demuxer);
}

// MARK: questions

int cff_demuxer_stream_count(const cff_demuxer *demuxer) {
  return demuxer->format ? (int)demuxer->format->nb_streams : 0;
}

const char *cff_demuxer_format_name(const cff_demuxer *demuxer) {
  return demuxer->format ? demuxer->format->iformat->name : "";
}

int64_t cff_demuxer_file_size(const cff_demuxer *demuxer) { return demuxer->file_size; }

/// AVI has decoding times only, so a decoder's frames are late by its reordering delay; players show frame n at n frames.
static int64_t reordering_delay(const cff_demuxer *demuxer, const AVStream *stream) {
  bool is_avi = av_match_name("avi", demuxer->format->iformat->name);
  if (!is_avi || stream->codecpar->video_delay <= 0 || stream->avg_frame_rate.num <= 0) return 0;
  return stream->codecpar->video_delay * av_rescale_q(1, av_inv_q(stream->avg_frame_rate), stream->time_base);
}

int64_t cff_demuxer_origin(const cff_demuxer *demuxer, int stream_index) {
  if (stream_index < 0 || stream_index >= cff_demuxer_stream_count(demuxer)) return 0;
  const AVStream *stream = demuxer->format->streams[stream_index];
  int64_t start = demuxer->origin > 0 ? av_rescale_q(demuxer->origin, demuxer->origin_tick, stream->time_base) : 0;
  int64_t delay = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? reordering_delay(demuxer, stream) : 0;
  return av_sat_add64(av_sat_add64(start, delay), opus_shift(demuxer, stream));
}

/// An image sequence (ISO/IEC 23008-12) repeats its first frame as an item outside of any track. FFmpeg 7 and later list that item as a stream of one frame,
/// without a duration, in a timebase of seconds.
static bool is_item_of_sequence(const cff_demuxer *demuxer, const AVStream *stream) {
  if (!av_match_name("mov", demuxer->format->iformat->name) || demuxer->format->nb_streams < 2) return false;
  return stream->nb_frames == 1 && stream->duration == AV_NOPTS_VALUE && av_cmp_q(stream->time_base, (AVRational){1, 1}) == 0;
}

bool cff_stream_is_cover(const cff_demuxer *demuxer, const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) || is_item_of_sequence(demuxer, stream);
}

static int stream_of_kind(const cff_demuxer *demuxer, enum AVMediaType type, int ordinal) {
  for (int i = 0; i < cff_demuxer_stream_count(demuxer); i++) {
    const AVStream *stream = demuxer->format->streams[i];
    if (stream->codecpar->codec_type != type || cff_stream_is_cover(demuxer, stream)) continue;
    if (ordinal-- == 0) return i;
  }
  return -1;
}

int cff_demuxer_video_stream(const cff_demuxer *demuxer, int ordinal) {
  return stream_of_kind(demuxer, AVMEDIA_TYPE_VIDEO, ordinal);
}

int cff_demuxer_audio_stream(const cff_demuxer *demuxer, int ordinal) {
  return stream_of_kind(demuxer, AVMEDIA_TYPE_AUDIO, ordinal);
}

const uint8_t *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
  const AVPacketSideData *data =
      av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size) *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  size_t found = 0;
  const uint8_t *data = av_stream_get_side_data(stream, type, &found);
  if (size) *size = data ? found : 0;
  return data;
#endif
}
