#include "Reading/read_internal.h"

#include <libavcodec/avcodec.h>
#include <stdio.h>
#include <string.h>

// MARK: description

static cff_stream_kind kind_of(const cff_demuxer *demuxer, const AVStream *stream) {
  if (cff_stream_is_cover(demuxer, stream)) return CFF_STREAM_COVER;
  switch (stream->codecpar->codec_type) {
  case AVMEDIA_TYPE_VIDEO: return CFF_STREAM_VIDEO;
  case AVMEDIA_TYPE_AUDIO: return CFF_STREAM_AUDIO;
  case AVMEDIA_TYPE_SUBTITLE: return CFF_STREAM_SUBTITLE;
  case AVMEDIA_TYPE_ATTACHMENT: return CFF_STREAM_ATTACHMENT;
  default: return stream->codecpar->codec_tag == MKTAG('t', 'm', 'c', 'd') ? CFF_STREAM_TIMECODE : CFF_STREAM_DATA;
  }
}

int cff_stated_field_order(const AVStream *stream) {
  switch (stream->codecpar->field_order) {
  case AV_FIELD_TT:
  case AV_FIELD_TB: return 1;
  case AV_FIELD_BB:
  case AV_FIELD_BT: return 2;
  default: return 0;
  }
}

bool cff_codec_lacks_fields(enum AVCodecID codec) {
  switch (codec) {
    case AV_CODEC_ID_HUFFYUV: case AV_CODEC_ID_FFVHUFF: case AV_CODEC_ID_UTVIDEO: case AV_CODEC_ID_MAGICYUV: case AV_CODEC_ID_LAGARITH:
    case AV_CODEC_ID_MJPEG: case AV_CODEC_ID_RAWVIDEO: case AV_CODEC_ID_V210: case AV_CODEC_ID_V308: case AV_CODEC_ID_V408: case AV_CODEC_ID_V410:
    case AV_CODEC_ID_R210: case AV_CODEC_ID_Y41P: return true;
    default: return false;
  }
}

static bool is_one(const AVDictionaryEntry *entry) { return entry && strcmp(entry->value, "1") == 0; }

/// What a decoder's samples are taken for if their channels have no positions: libavutil's usual layout of as many.
static void describe_positions(const AVChannelLayout *layout, cff_stream *result) {
  if (layout->nb_channels <= 2 || layout->order != AV_CHANNEL_ORDER_UNSPEC) return;
  result->lacks_positions = true;
  AVChannelLayout usual;
  av_channel_layout_default(&usual, layout->nb_channels);
  if (usual.order != AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_describe(&usual, result->assumed_layout, sizeof result->assumed_layout);
  av_channel_layout_uninit(&usual);
}

static cff_color container_color(const cff_demuxer *demuxer, int index) {
  // A stream that appeared after the header (MPEG-TS) has no container tags.
  cff_tags none = {AVCOL_PRI_UNSPECIFIED, AVCOL_TRC_UNSPECIFIED, AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_UNSPECIFIED,
                   AVCHROMA_LOC_UNSPECIFIED};
  return cff_color_from_tags(index < demuxer->container_tags_count ? &demuxer->container_tags[index] : &none);
}

cff_status cff_stream_describe(const cff_demuxer *demuxer, int index, cff_stream *result) {
  *result = (cff_stream){0};
  AVFormatContext *format = demuxer->format;
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return CFF_NO_STREAM;
  AVStream *stream = format->streams[index];
  const AVCodecParameters *parameters = stream->codecpar;
  AVRational aspect = av_guess_sample_aspect_ratio(format, stream, NULL);
  AVRational rate = stream->avg_frame_rate;
  // An average above any camera's rate results from timestamps in milliseconds.
  if (rate.num <= 0 || av_q2d(rate) >= 999) rate = stream->r_frame_rate;
  result->kind = kind_of(demuxer, stream);
  result->time_base_numerator = stream->time_base.num;
  result->time_base_denominator = stream->time_base.den;
  result->width = parameters->width;
  result->height = parameters->height;
  result->aspect_numerator = aspect.num;
  result->aspect_denominator = aspect.den;
  result->rate_numerator = rate.num;
  result->rate_denominator = rate.den;
  result->guessed_rate_numerator = stream->r_frame_rate.num;
  result->guessed_rate_denominator = stream->r_frame_rate.den;
  result->field_order = cff_stated_field_order(stream);
  result->lacks_field_order = parameters->field_order == AV_FIELD_UNKNOWN && cff_codec_lacks_fields(parameters->codec_id);
  result->container_color = container_color(demuxer, index);
  cff_hdr_from_stream(&result->hdr, stream);
  cff_dolby_vision_from_stream(&result->dolby_vision, stream);
  size_t size = 0;
  const uint8_t *matrix = cff_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix && size >= sizeof result->matrix) {
    memcpy(result->matrix, matrix, sizeof result->matrix);
    result->has_matrix = true;
  }
  result->has_alpha_layer = is_one(av_dict_get(stream->metadata, "alpha_mode", NULL, 0));
  result->sample_rate = parameters->sample_rate;
  result->channel_count = parameters->ch_layout.nb_channels;
  describe_positions(&parameters->ch_layout, result);
  return CFF_OK;
}

cff_storage cff_stream_storage(const cff_demuxer *demuxer, int index) {
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return (cff_storage){.number = -1, .is_enabled = -1};
  const AVStream *stream = demuxer->format->streams[index];
  const AVCodecParameters *parameters = stream->codecpar;
  bool has_numbers = demuxer->format->iformat->flags & AVFMT_SHOW_IDS;
  return (cff_storage){
      .number = has_numbers ? stream->id : -1,
      .tag = parameters->codec_tag,
      // libavformat takes the flag of the track's header (ISO/IEC 14496-12, 8.3.2) for that of a default track.
      .is_enabled = demuxer->traits.has_edit_lists ? (stream->disposition & AV_DISPOSITION_DEFAULT) != 0 : -1,
      .extradata = parameters->extradata,
      .extradata_size = parameters->extradata_size,
  };
}

const char *cff_stream_codec(const cff_demuxer *demuxer, int index) {
  static _Thread_local char tag_name[AV_FOURCC_MAX_STRING_SIZE];
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return "unknown";
  const AVCodecParameters *parameters = demuxer->format->streams[index]->codecpar;
  if (parameters->codec_id != AV_CODEC_ID_NONE) return avcodec_get_name(parameters->codec_id);
  return parameters->codec_tag ? av_fourcc_make_string(tag_name, parameters->codec_tag) : "unknown";
}

const char *cff_audio_refusal(const cff_demuxer *demuxer, int index) {
  static _Thread_local char reason[160];
  const AVCodecParameters *parameters = demuxer->format->streams[index]->codecpar;
  const char *name = cff_stream_codec(demuxer, index), *profile = avcodec_profile_name(parameters->codec_id, parameters->profile);
  const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
  AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
  // Without memory, opening the track fails later.
  if (codec && !context) return NULL;
  int error = codec ? avcodec_parameters_to_context(context, parameters) : AVERROR_DECODER_NOT_FOUND;
  if (error >= 0) error = avcodec_open2(context, codec, NULL);
  avcodec_free_context(&context);
  if (error >= 0 || cff_is_out_of_memory(error)) return NULL;
  enum { usac = 42 };
  // The object type of MPEG-4 audio (ISO/IEC 14496-3, 1.5.1) begins its description: five bits, and six more for 32 and above.
  const uint8_t *bytes = parameters->extradata;
  bool is_long = parameters->codec_id == AV_CODEC_ID_AAC && parameters->extradata_size >= 2 && bytes[0] >> 3 == 31;
  if (is_long && 32 + ((bytes[0] & 7) << 3 | bytes[1] >> 5) == usac) profile = "xHE-AAC, USAC";
  snprintf(reason, sizeof reason, "no decoder for codec %s%s%s%s", name, profile ? " (" : "", profile ? profile : "", profile ? ")" : "");
  return reason;
}

bool cff_stream_is_encrypted(const cff_demuxer *demuxer, int index) {
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return false;
  const AVStream *stream = demuxer->format->streams[index];
  static const uint32_t tags[] = {MKTAG('d', 'r', 'm', 's'), MKTAG('d', 'r', 'm', 'i'), MKTAG('e', 'n', 'c', 'a'),
                                  MKTAG('e', 'n', 'c', 'v'), MKTAG('e', 'n', 'c', 't'), MKTAG('e', 'n', 'c', 's')};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    if (stream->codecpar->codec_tag == tags[i]) return true;
  }
  return cff_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, NULL) != NULL;
}

const char *cff_stream_metadata(const cff_demuxer *demuxer, int stream_index, const char *key) {
  const AVDictionaryEntry *entry = av_dict_get(demuxer->format->streams[stream_index]->metadata, key, NULL, 0);
  return entry ? entry->value : NULL;
}

cff_marks cff_stream_marks(const cff_demuxer *demuxer, int stream_index) {
  const AVStream *stream = demuxer->format->streams[stream_index];
  return (cff_marks){cff_stream_side_data(stream, AV_PKT_DATA_SPHERICAL, NULL) != NULL,
                     cff_stream_side_data(stream, AV_PKT_DATA_STEREO3D, NULL) != NULL,
                     cff_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, NULL) != NULL};
}

/// Whether the display flags of 3GPP timed text, the first 32 bits of its description, state that all samples are forced. libavformat reads only another sign
/// of it, which QuickTime files don't have.
static bool is_forced_text(const AVCodecParameters *parameters) {
  return parameters->codec_id == AV_CODEC_ID_MOV_TEXT && parameters->extradata_size >= 4 && (parameters->extradata[0] & 0x80);
}

const char *cff_stream_flag(const cff_demuxer *demuxer, int stream_index, int index) {
  const AVStream *stream = demuxer->format->streams[stream_index];
  unsigned flags = (unsigned)stream->disposition;
  if (is_forced_text(stream->codecpar)) flags |= AV_DISPOSITION_FORCED;
  for (; flags != 0; flags &= flags - 1) {
    const char *name = av_disposition_to_string((int)(flags & -flags));
    if (name && index-- == 0) return name;
  }
  return NULL;
}

const uint8_t *cff_stream_picture(const cff_demuxer *demuxer, int stream_index, int *size) {
  const AVStream *stream = demuxer->format->streams[stream_index];
  bool is_picture = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) && stream->attached_pic.size > 0;
  *size = is_picture ? stream->attached_pic.size : 0;
  return is_picture ? stream->attached_pic.data : NULL;
}

static const AVDictionaryEntry *metadata_entry(const cff_demuxer *demuxer, int index) {
  const AVDictionaryEntry *entry = NULL;
  do {
    entry = av_dict_get(demuxer->format->metadata, "", entry, AV_DICT_IGNORE_SUFFIX);
  } while (entry && index-- > 0);
  return entry;
}

const char *cff_metadata_key(const cff_demuxer *demuxer, int index) {
  const AVDictionaryEntry *entry = metadata_entry(demuxer, index);
  return entry ? entry->key : NULL;
}

const char *cff_metadata_value(const cff_demuxer *demuxer, int index) {
  const AVDictionaryEntry *entry = metadata_entry(demuxer, index);
  return entry ? entry->value : NULL;
}

bool cff_demuxer_chapter(const cff_demuxer *demuxer, int index, cff_chapter *result) {
  const AVFormatContext *format = demuxer->format;
  if (index < 0 || (unsigned)index >= format->nb_chapters) return false;
  const AVChapter *chapter = format->chapters[index];
  const AVDictionaryEntry *title = av_dict_get(chapter->metadata, "title", NULL, 0);
  *result = (cff_chapter){chapter->start, chapter->end, chapter->time_base.num, chapter->time_base.den,
                          title ? title->value : NULL};
  return true;
}

bool cff_stream_stated_extent(const cff_demuxer *demuxer, int index, int64_t *start, int64_t *end) {
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return false;
  AVStream *stream = demuxer->format->streams[index];
  int count = avformat_index_get_entries_count(stream);
  // A file in fragments has no complete index. Samples without a duration are left out of it.
  bool is_whole = demuxer->traits.has_sample_table && count > 0 && count <= stream->nb_frames;
  const AVIndexEntry *first = is_whole ? avformat_index_get_entry(stream, 0) : NULL;
  const AVIndexEntry *last = is_whole ? avformat_index_get_entry(stream, count - 1) : NULL;
  if (!first || !last || stream->duration <= 0) return false;
  int64_t origin = cff_demuxer_origin(demuxer, index);
  int64_t beginning = stream->start_time != AV_NOPTS_VALUE ? stream->start_time : first->timestamp;
  *start = av_sat_sub64(first->timestamp, origin);
  *end = av_sat_sub64(FFMAX(last->timestamp, av_sat_add64(beginning, stream->duration)), origin);
  return true;
}

bool cff_demuxer_assumes_rate(const cff_demuxer *demuxer) {
  return demuxer->counts_frames && !demuxer->traits.has_mpeg_headers && av_cmp_q(demuxer->frame_rate, (AVRational){25, 1}) == 0;
}
