// Reads the packets of a file in file order.
#include <libavcodec/avcodec.h>
#include <string.h>

#include "Common/common_internal.h"
#include "Copying/copy_internal.h"

void cff_packet_release(void *reference) {
  AVPacket *packet = reference;
  av_packet_free(&packet);
}

const uint8_t *cff_packet_bytes(const void *reference) { return ((const AVPacket *)reference)->data; }

cff_status cff_packets_select(cff_demuxer *demuxer, const int32_t *streams, int count, cff_failure *failure) {
  for (int index = 0; index < count; index++) {
    if (streams[index] < 0 || streams[index] >= cff_demuxer_stream_count(demuxer))
      return cff_fail(failure, CFF_NO_STREAM, "no stream %d", streams[index]);
  }
  for (unsigned index = 0; index < demuxer->format->nb_streams; index++) {
    bool is_wanted = false;
    for (int wanted = 0; wanted < count; wanted++) is_wanted = is_wanted || streams[wanted] == (int32_t)index;
    demuxer->format->streams[index]->discard = is_wanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
  return cff_restart_counting_packets(demuxer, false, failure);
}

static int64_t from_origin(const cff_demuxer *demuxer, int stream, int64_t time) {
  return time == AV_NOPTS_VALUE ? CFF_NO_TIME : av_sat_sub64(time, cff_demuxer_origin(demuxer, stream));
}

static void describe(const cff_demuxer *demuxer, AVPacket *packet, cff_packet *result) {
  const AVCodecParameters *parameters = demuxer->format->streams[packet->stream_index]->codecpar;
  bool is_audio = parameters->codec_type == AVMEDIA_TYPE_AUDIO;
  AVCodecParameters *whole = demuxer->format->streams[packet->stream_index]->codecpar;
  *result = (cff_packet){
      .reference = packet,
      .stream = packet->stream_index,
      .time = from_origin(demuxer, packet->stream_index, packet->pts),
      .decode_time = from_origin(demuxer, packet->stream_index, packet->dts),
      .duration = packet->duration,
      .sample_count = is_audio ? av_get_audio_frame_duration2(whole, packet->size) : 0,
      .byte_count = packet->size,
      .entry = is_audio ? CFF_ENTRY_CLOSED : cff_copy_entry(parameters, packet),
      .is_hidden = (packet->flags & AV_PKT_FLAG_DISCARD) != 0,
  };
  cff_count_packet(demuxer, packet, result);
}

cff_status cff_packets_next(cff_demuxer *demuxer, cff_packet *result, cff_failure *failure) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int error;
  while ((error = cff_read_packet(demuxer, packet)) >= 0) {
    if (demuxer->read_error) break;
    if (demuxer->format->streams[packet->stream_index]->discard != AVDISCARD_ALL && packet->size > 0) {
      describe(demuxer, packet, result);
      return CFF_OK;
    }
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  return error == AVERROR_EOF ? CFF_END : cff_fail_av(failure, error, CFF_TRUNCATED, "a packet cannot be read");
}

cff_status cff_packets_seek(cff_demuxer *demuxer, int stream, int64_t time, cff_failure *failure) {
  // Only the start says where samples are if times don't.
  if (stream < 64 && (demuxer->sample_times.wrong | demuxer->sample_times.wide) >> stream & 1) return CFF_END;
  int error = cff_seek_packet(demuxer, stream, av_sat_add64(time, cff_demuxer_origin(demuxer, stream)));
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  return error < 0 ? CFF_END : cff_restart_counting_packets(demuxer, true, failure);
}

cff_parameters cff_copy_parameters(const cff_demuxer *demuxer, int stream) {
  const AVStream *source = demuxer->format->streams[stream];
  const AVCodecParameters *p = source->codecpar;
  AVRational aspect = source->sample_aspect_ratio.num > 0 ? source->sample_aspect_ratio : p->sample_aspect_ratio;
  const AVCodecDescriptor *codec = avcodec_descriptor_get(p->codec_id);
  cff_parameters result = {
      .width = p->width,
      .height = p->height,
      .aspect_numerator = aspect.num > 0 ? aspect.num : 1,
      .aspect_denominator = aspect.num > 0 && aspect.den > 0 ? aspect.den : 1,
      .profile = p->profile,
      .level = p->level,
      .primaries = p->color_primaries,
      .transfer = p->color_trc,
      .matrix = p->color_space,
      .range = p->color_range,
      .location = p->chroma_location,
      .field_order = p->field_order,
      .sample_rate = p->sample_rate,
      .channel_count = p->ch_layout.nb_channels,
      .frame_size = p->frame_size,
      .reordering = p->video_delay,
      .extradata = p->extradata,
      .extradata_size = p->extradata_size,
      .length_size = cff_copy_length_size(p),
      .is_intra_only = codec && (codec->props & AV_CODEC_PROP_INTRA_ONLY) != 0,
  };
  if (p->codec_type == AVMEDIA_TYPE_VIDEO && p->format >= 0) result.format = av_get_pix_fmt_name(p->format);
  if (p->codec_type == AVMEDIA_TYPE_AUDIO && p->format >= 0) result.format = av_get_sample_fmt_name(p->format);
  return result;
}
