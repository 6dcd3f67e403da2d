#define _GNU_SOURCE
#include "write_muxer.h"

#include <errno.h>
#include <libavutil/avstring.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Common/common_internal.h"
#include "Writing/write_internal.h"

#define BUFFER_SIZE (256 * 1024)

struct cff_muxer {
  AVFormatContext *context;
  /// What the container does unlike others.
  cff_output_traits traits;
  cff_file file;
  /// The stream to write to instead of a file, if `is_stream` is set.
  cff_stream stream;
  bool is_stream;
  /// The first failure of the file, kept because libavformat may continue and report something else.
  int error;
  cff_codec_delays delays;
  /// Duration of the last packet, in units of its track.
  int64_t last_duration;
  /// Whether the header, or the trailer that corrects it, is being written.
  bool is_writing_header;
  /// The encoders of subtitle tracks, by track; NULL for others.
  AVCodecContext *subtitles[CFF_MAXIMUM_TRACKS];
};

cff_status cff_fail_writing(cff_failure *failure, int error, cff_status fallback) {
  if (error >= 0) return CFF_OK;
  char text[sizeof failure->message] = "";
  if (av_strerror(error, text, sizeof text) < 0) text[sizeof text - 1] = 0;
  cff_status status = error == AVERROR_ENCODER_NOT_FOUND ? CFF_NO_ENCODER
    : error == AVERROR_MUXER_NOT_FOUND                   ? CFF_NO_CONTAINER
    : error == AVERROR(ENOMEM)                           ? CFF_NO_RESOURCE
                                                         : fallback;
  cff_fail(failure, status, "%s", text);
  // libavutil's own codes are four-character tags, far outside errno's range.
  if (failure) failure->system_error = error > -4096 ? AVUNERROR(error) : 0;
  return status;
}

static cff_status writing(int error, cff_failure *failure) { return cff_fail_writing(failure, error, CFF_IO_FAILED); }

static int write_all(cff_muxer *muxer, const uint8_t *bytes, int count) {
  int result = muxer->is_stream ? cff_stream_write(&muxer->stream, bytes, count) : cff_file_write(&muxer->file, bytes, count);
  if (result < 0 && !muxer->error) muxer->error = result;
  return result;
}

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *opaque, const uint8_t *bytes, int count) {
#else
static int write_bytes(void *opaque, uint8_t *bytes, int count) {
#endif
  cff_muxer *muxer = opaque;
  if (!muxer->is_writing_header || !cff_delay_any_reserved(&muxer->delays)) return write_all(muxer, bytes, count);
  uint8_t *copy = av_memdup(bytes, (size_t)count);
  if (!copy) return AVERROR(ENOMEM);
  cff_delay_write(&muxer->delays, copy, (size_t)count);
  int result = write_all(muxer, copy, count);
  av_free(copy);
  return result;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  cff_muxer *muxer = opaque;
  return cff_file_seek(&muxer->file, offset, whence);
}

static int open_context(cff_muxer *muxer) {
  uint8_t *buffer = av_malloc(BUFFER_SIZE);
  if (!buffer) return AVERROR(ENOMEM);
  muxer->context->pb =
    avio_alloc_context(buffer, BUFFER_SIZE, 1, muxer, NULL, write_bytes, muxer->is_stream ? NULL : seek_bytes);
  if (muxer->context->pb) return 0;
  av_free(buffer);
  return AVERROR(ENOMEM);
}

static int open_stream(cff_muxer *muxer, const cff_stream_target *target) {
  muxer->is_stream = true;
  int error = cff_stream_open(&muxer->stream, target);
  return error < 0 ? error : open_context(muxer);
}

static int open_output(cff_muxer *muxer, const char *path) {
  int error = cff_file_open(&muxer->file, path);
  if (error >= 0) error = open_context(muxer);
  if (error < 0) return error;
  // Whole buffers are written. By itself libavformat writes each packet, which for audio is some hundred bytes.
  muxer->context->flush_packets = 0;
  // Moving the index to the front reopens the file by name; the prefix prevents a name with a colon from being a protocol.
  muxer->context->url = av_asprintf("file:%s", path);
  return muxer->context->url ? 0 : AVERROR(ENOMEM);
}

/// - `path` or `target`: the container's destination.
static int create(const char *format, const char *path, const cff_stream_target *target, cff_muxer **result) {
  *result = NULL;
  cff_muxer *muxer = av_mallocz(sizeof *muxer);
  if (!muxer) return AVERROR(ENOMEM);
  muxer->file.descriptor = muxer->stream.descriptor = -1;
  const AVOutputFormat *output = av_guess_format(format, NULL, NULL);
  int error = output ? avformat_alloc_output_context2(&muxer->context, output, NULL, NULL) : AVERROR_MUXER_NOT_FOUND;
  if (error >= 0) {
    muxer->traits = cff_output_traits_of(output->name);
    // A track that gets nothing for this long (in microseconds) no longer holds the packets of the others back in memory.
    // Audio before time 0 is the encoder's priming, which players drop; it must not delay everything else.
    muxer->context->avoid_negative_ts = 0;
    muxer->context->max_interleave_delta = 5000000;
    muxer->context->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
    error = target ? open_stream(muxer, target) : open_output(muxer, path);
  }
  if (error < 0) {
    cff_muxer_destroy(&muxer);
    return error;
  }
  *result = muxer;
  return 0;
}

cff_status cff_muxer_create(const char *format, const char *path, cff_muxer **muxer, cff_failure *failure) {
  return writing(create(format, path, NULL, muxer), failure);
}

cff_status cff_muxer_create_stream(
    const char *format, const cff_stream_target *target, cff_muxer **muxer, cff_failure *failure) {
  return writing(create(format, NULL, target, muxer), failure);
}

void cff_muxer_expect(cff_muxer *muxer, int64_t byte_count) {
  if (!muxer->is_stream) cff_file_expect(&muxer->file, byte_count);
}

bool cff_muxer_takes_pictures(const cff_muxer *muxer) {
  return muxer->context->oformat->video_codec == AV_CODEC_ID_WRAPPED_AVFRAME;
}

bool cff_muxer_wants_global_header(const cff_muxer *muxer) {
  return (muxer->context->oformat->flags & AVFMT_GLOBALHEADER) != 0;
}

cff_output_traits cff_muxer_traits(const cff_muxer *muxer) { return muxer->traits; }

int cff_parse_options(const char *lines, AVDictionary **options) {
  return lines && *lines ? av_dict_parse_string(options, lines, "=", "\n", 0) : 0;
}

static int reserve_delays(cff_muxer *muxer) {
  int error = 0;
  for (unsigned track = 0; error >= 0 && muxer->traits.states_codec_delay && track < muxer->context->nb_streams; track++)
    error = cff_delay_reserve(&muxer->delays, muxer->context->streams[track]);
  return error;
}

static int write_header(cff_muxer *muxer, const char *lines) {
  AVDictionary *options = NULL;
  int error = cff_parse_options(lines, &options);
  if (error >= 0) error = reserve_delays(muxer);
  muxer->is_writing_header = true;
  if (error >= 0) error = avformat_write_header(muxer->context, &options);
  if (error >= 0 && av_dict_count(options) > 0) error = AVERROR_OPTION_NOT_FOUND;
  av_dict_free(&options);
  if (error >= 0) avio_flush(muxer->context->pb);
  muxer->is_writing_header = false;
  if (error >= 0 && !cff_delay_all_written(&muxer->delays)) error = AVERROR_BUG;
  return muxer->error ? muxer->error : error < 0 ? error : 0;
}

cff_status cff_muxer_write_header(cff_muxer *muxer, const char *options, cff_failure *failure) {
  return writing(write_header(muxer, options), failure);
}

/// libwebp ignores what is transparent around all frames, and states that nothing is: readers then show it in black. The packet is the whole file: RIFF size
/// WEBP VP8X size flags.
static int say_alpha(AVPacket *packet) {
  enum { chunk = 12, flags = 20, alpha = 0x10 };
  if (packet->size <= flags || memcmp(packet->data + chunk, "VP8X", 4) != 0) return 0;
  int error = av_packet_make_writable(packet);
  if (error >= 0) packet->data[flags] |= alpha;
  return error;
}

int cff_muxer_write_encoded(cff_muxer *muxer, AVPacket *packet, AVRational tick) {
  AVStream *stream = muxer->context->streams[packet->stream_index];
  int64_t end = av_rescale_q(packet->pts + packet->duration, tick, (AVRational){1, 1000});
  muxer->delays.end = FFMAX(muxer->delays.end, end);
  const cff_codec_delay *delay = &muxer->delays.tracks[packet->stream_index];
  if (delay->moves_packets) {
    // Times in the file count from the priming.
    packet->pts += delay->samples;
    packet->dts += delay->samples;
  }
  av_packet_rescale_ts(packet, tick, stream->time_base);
  muxer->last_duration = packet->duration;
  int error = av_interleaved_write_frame(muxer->context, packet);
  return muxer->error ? muxer->error : error < 0 ? error : 0;
}

static int write_packet(cff_muxer *muxer, int track, cff_encoder *encoder) {
  AVPacket *packet = encoder->packet;
  if (encoder->has_alpha && encoder->context->codec_id == AV_CODEC_ID_WEBP) {
    int changed = say_alpha(packet);
    if (changed < 0) return changed;
  }
  packet->stream_index = track;
  return cff_muxer_write_encoded(muxer, packet, encoder->context->time_base);
}

cff_status cff_muxer_write(cff_muxer *muxer, int track, cff_encoder *encoder, cff_failure *failure) {
  return writing(write_packet(muxer, track, encoder), failure);
}

AVFormatContext *cff_muxer_context(cff_muxer *muxer) { return muxer->context; }

AVCodecContext **cff_muxer_subtitle_encoder(cff_muxer *muxer, int track) { return &muxer->subtitles[track]; }

int cff_muxer_write_raw(cff_muxer *muxer, AVPacket *packet, AVRational tick) {
  int64_t end = av_rescale_q(packet->pts + packet->duration, tick, (AVRational){1, 1000});
  muxer->delays.end = FFMAX(muxer->delays.end, end);
  av_packet_rescale_ts(packet, tick, muxer->context->streams[packet->stream_index]->time_base);
  int error = av_interleaved_write_frame(muxer->context, packet);
  return muxer->error ? muxer->error : error < 0 ? error : 0;
}

static int close_output(cff_muxer *muxer, int64_t *byte_count) {
  if (!muxer->is_stream) return cff_file_close(&muxer->file, byte_count);
  *byte_count = muxer->stream.byte_count;
  return cff_stream_close(&muxer->stream);
}

static int finish(cff_muxer *muxer, int64_t *byte_count) {
  *byte_count = 0;
  avio_flush(muxer->context->pb);
  if (muxer->traits.repeats_last_duration)
    av_opt_set_int(muxer->context->priv_data, "final_delay", FFMIN(muxer->last_duration, UINT16_MAX), 0);
  muxer->is_writing_header = true;
  int error = av_write_trailer(muxer->context);
  avio_flush(muxer->context->pb);
  if (error >= 0) error = muxer->context->pb->error;
  int closing = close_output(muxer, byte_count);
  if (muxer->error) return muxer->error;
  return error < 0 ? error : closing;
}

cff_status cff_muxer_finish(cff_muxer *muxer, int64_t *byte_count, cff_failure *failure) {
  return writing(finish(muxer, byte_count), failure);
}

void cff_muxer_destroy(cff_muxer **reference) {
  cff_muxer *muxer = *reference;
  if (!muxer) return;
  for (int track = 0; track < CFF_MAXIMUM_TRACKS; track++) avcodec_free_context(&muxer->subtitles[track]);
  if (muxer->context) {
    if (muxer->context->pb) av_freep(&muxer->context->pb->buffer);
    avio_context_free(&muxer->context->pb);
    avformat_free_context(muxer->context);
  }
  if (muxer->file.descriptor >= 0) close(muxer->file.descriptor);
  cff_stream_close(&muxer->stream);
  av_freep(reference);
}

void cff_remove_regular_file(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) unlink(path);
}
