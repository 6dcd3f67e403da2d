#include "write_tags.h"

#include <libavutil/avstring.h>
#include <libavutil/base64.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>
#include <stdio.h>
#include <string.h>

#include "Writing/write_internal.h"

static cff_status writing(int error, cff_failure *failure) { return cff_fail_writing(failure, error, CFF_IO_FAILED); }

static int add_chapter(AVFormatContext *context, int64_t start, int64_t end, const char *title) {
  AVChapter *chapter = av_mallocz(sizeof *chapter);
  if (!chapter) return AVERROR(ENOMEM);
  AVChapter **all = av_realloc_array(context->chapters, context->nb_chapters + 1, sizeof *all);
  if (!all) {
    av_free(chapter);
    return AVERROR(ENOMEM);
  }
  context->chapters = all;
  // From here on, it is freed with the context.
  all[context->nb_chapters++] = chapter;
  // Matroska and ID3 require numbers above 0.
  chapter->id = context->nb_chapters;
  chapter->time_base = (AVRational){1, 1000000000};
  chapter->start = start;
  chapter->end = end;
  return av_dict_set(&chapter->metadata, "title", title, 0);
}

/// Writes a chapter as two comments, numbered by the existing chapters. libavformat would write none in files that are the same each time, and round the
/// seconds up in others.
static int add_chapter_comment(AVFormatContext *context, int64_t start, const char *title) {
  char key[32], value[32];
  int number = 1;
  do snprintf(key, sizeof key, "CHAPTER%03d", number++);
  while (number < 1000 && av_dict_get(context->metadata, key, NULL, 0));
  int64_t milliseconds = (start + 500000) / 1000000, seconds = milliseconds / 1000;
  snprintf(value, sizeof value, "%02d:%02d:%02d.%03d", (int)(seconds / 3600), (int)(seconds / 60 % 60), (int)(seconds % 60),
           (int)(milliseconds % 1000));
  int error = av_dict_set(&context->metadata, key, value, 0);
  if (error < 0) return error;
  av_strlcat(key, "NAME", sizeof key);
  return av_dict_set(&context->metadata, key, title, 0);
}

cff_status cff_muxer_add_chapter(cff_muxer *muxer, int64_t start, int64_t end, const char *title, cff_failure *failure) {
  AVFormatContext *context = cff_muxer_context(muxer);
  if (cff_muxer_traits(muxer).has_vorbis_comments) return writing(add_chapter_comment(context, start, title), failure);
  return writing(add_chapter(context, start, end, title), failure);
}

static const char *mime_type(const cff_cover *cover) { return cover->is_png ? "image/png" : "image/jpeg"; }

static enum AVCodecID codec_of(const cff_cover *cover) { return cover->is_png ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG; }

/// FLAC's picture block, which Ogg holds as a string in a comment.
static int add_comment(AVFormatContext *context, const cff_cover *cover) {
  const char *type = mime_type(cover);
  size_t type_length = strlen(type), header = 32 + type_length, size = header + (size_t)cover->count;
  if (size > INT32_MAX / 2) return AVERROR(EINVAL);
  uint8_t *block = av_mallocz(size);
  char *text = av_malloc(AV_BASE64_SIZE(size));
  int error = block && text ? 0 : AVERROR(ENOMEM);
  if (!error) {
    uint8_t *place = block;
    AV_WB32(place, 3); // the front cover
    AV_WB32(place + 4, (uint32_t)type_length);
    memcpy(place + 8, type, type_length);
    place += 8 + type_length;
    AV_WB32(place, 0); // no description
    AV_WB32(place + 4, (uint32_t)cover->width);
    AV_WB32(place + 8, (uint32_t)cover->height);
    AV_WB32(place + 12, cover->is_png ? 32 : 24);
    AV_WB32(place + 16, 0); // no palette
    AV_WB32(place + 20, (uint32_t)cover->count);
    memcpy(place + 24, cover->bytes, (size_t)cover->count);
    error = av_base64_encode(text, (int)AV_BASE64_SIZE(size), block, (int)size) ? 0 : AVERROR(EINVAL);
  }
  if (!error) error = av_dict_set(&context->metadata, "METADATA_BLOCK_PICTURE", text, 0);
  av_free(block);
  av_free(text);
  return error;
}

static int attach(AVStream *stream, const cff_cover *cover) {
  stream->codecpar->codec_type = AVMEDIA_TYPE_ATTACHMENT;
  stream->codecpar->extradata = av_mallocz((size_t)cover->count + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!stream->codecpar->extradata) return AVERROR(ENOMEM);
  stream->codecpar->extradata_size = cover->count;
  memcpy(stream->codecpar->extradata, cover->bytes, (size_t)cover->count);
  int error = av_dict_set(&stream->metadata, "filename", cover->is_png ? "cover.png" : "cover.jpg", 0);
  return error < 0 ? error : av_dict_set(&stream->metadata, "mimetype", mime_type(cover), 0);
}

static int add_cover(cff_muxer *muxer, const cff_cover *cover, int *track) {
  AVFormatContext *context = cff_muxer_context(muxer);
  cff_cover_place place = cff_muxer_traits(muxer).cover;
  *track = -1;
  if (place == CFF_COVER_COMMENT) return add_comment(context, cover);
  if (context->nb_streams >= CFF_MAXIMUM_TRACKS) return AVERROR(EINVAL);
  AVStream *stream = avformat_new_stream(context, NULL);
  if (!stream) return AVERROR(ENOMEM);
  stream->codecpar->codec_id = codec_of(cover);
  if (place == CFF_COVER_ATTACHMENT) return attach(stream, cover);
  stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
  stream->codecpar->width = cover->width;
  stream->codecpar->height = cover->height;
  stream->codecpar->format = cover->is_png ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUV420P;
  stream->time_base = (AVRational){1, 90000};
  stream->disposition = AV_DISPOSITION_ATTACHED_PIC;
  *track = stream->index;
  return 0;
}

cff_status cff_muxer_add_cover(cff_muxer *muxer, const cff_cover *cover, int *track, cff_failure *failure) {
  return writing(add_cover(muxer, cover, track), failure);
}

static int write_cover(AVFormatContext *context, int track, const cff_cover *cover) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  int error = av_new_packet(packet, cover->count);
  if (error >= 0) {
    memcpy(packet->data, cover->bytes, (size_t)cover->count);
    packet->stream_index = track;
    packet->pts = packet->dts = 0;
    packet->flags |= AV_PKT_FLAG_KEY;
    // Not interleaved, because it would wait for the other tracks, and they for it.
    error = av_write_frame(context, packet);
  }
  av_packet_free(&packet);
  return error < 0 ? error : 0;
}

cff_status cff_muxer_write_cover(cff_muxer *muxer, int track, const cff_cover *cover, cff_failure *failure) {
  return writing(write_cover(cff_muxer_context(muxer), track, cover), failure);
}
