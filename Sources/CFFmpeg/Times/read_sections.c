#include <string.h>

#include "Times/read_numbered.h"
#include "Times/sections.h"

// Transport and program streams count time in 33 bits of 90 kHz, and may be cut anywhere and concatenated. Their timestamps are put on one clock that rises
// through the file: the file is a list of sections, each with its position and the offset of its timestamps. A packet belongs to the section that contains its
// bytes, so that sequential and random access agree, and so do measuring, video and audio. find_sections.c makes the list.

/// Number of bytes by which a jump lands earlier than estimated, because rates vary.
enum { seek_margin = 1 << 19 };

bool cff_demuxer_has_sections(const cff_demuxer *demuxer) { return demuxer->traits.has_33_bit_clock; }

int cff_demuxer_section_count(const cff_demuxer *demuxer) { return demuxer->section_count; }

cff_clock_section cff_demuxer_section(const cff_demuxer *demuxer, int index) { return demuxer->sections[index]; }

cff_status cff_demuxer_use_sections(
    cff_demuxer *demuxer, const cff_clock_section *sections, int count, cff_failure *failure) {
  if (count < 1 || !cff_demuxer_has_sections(demuxer)) return CFF_OK;
  cff_clock_section *copy = av_memdup(sections, (size_t)count * sizeof *sections);
  if (!copy) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  av_free(demuxer->sections);
  demuxer->sections = copy;
  demuxer->section_count = count;
  demuxer->has_restarts = count > 1 || copy[0].end > wrap_mask;
  return CFF_OK;
}

// MARK: reading

static const cff_clock_section *section_at(const cff_demuxer *demuxer, int64_t position) {
  return &demuxer->sections[section_index(demuxer->sections, demuxer->section_count, position)];
}

int64_t cff_place_of(cff_demuxer *demuxer, const AVPacket *packet) {
  int index = packet->stream_index;
  if (index < 0 || index >= demuxer->packet_positions_count) return packet->pos >= 0 ? packet->pos : 0;
  if (packet->pos >= 0) demuxer->packet_positions[index] = packet->pos;
  return demuxer->packet_positions[index];
}

int cff_reserve_positions(cff_demuxer *demuxer) {
  int count = (int)demuxer->format->nb_streams;
  if (count <= demuxer->packet_positions_count) return 0;
  int64_t *grown = av_realloc_array(demuxer->packet_positions, (size_t)count, sizeof *grown);
  if (!grown) return AVERROR(ENOMEM);
  for (int i = demuxer->packet_positions_count; i < count; i++) grown[i] = 0;
  demuxer->packet_positions = grown;
  demuxer->packet_positions_count = count;
  return 0;
}

/// Drops no samples at the beginning of a stream whose delay is unstated.
static void keep_beginning(const cff_demuxer *demuxer, AVPacket *packet) {
  size_t size = 0;
  uint8_t *data = packet->stream_index == demuxer->undelayed_stream ? av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size) : NULL;
  if (data && size >= 4) memset(data, 0, 4);
}

/// Whether a packet is less than a block of a codec whose blocks all have one size: padding that the header counts.
static bool is_padding(const cff_demuxer *demuxer, const AVPacket *packet) {
  const AVCodecParameters *parameters = demuxer->format->streams[packet->stream_index]->codecpar;
  return parameters->codec_id == AV_CODEC_ID_GSM_MS && packet->size < parameters->block_align;
}

int cff_read_packet(cff_demuxer *demuxer, AVPacket *packet) {
  int result = av_read_frame(demuxer->format, packet);
  while (result >= 0 && is_padding(demuxer, packet)) {
    av_packet_unref(packet);
    result = av_read_frame(demuxer->format, packet);
  }
  if (result >= 0) cff_number_packet(demuxer, packet);
  if (result >= 0) keep_beginning(demuxer, packet);
  if (result >= 0 && (result = cff_move_packet(demuxer, packet)) < 0) av_packet_unref(packet);
  if (result >= 0 && (result = cff_place_after_gap(demuxer, packet)) < 0) av_packet_unref(packet);
  if (result >= 0) cff_fill_decoding_time(demuxer, packet);
  if (result < 0 || demuxer->section_count == 0) return result;
  result = cff_reserve_positions(demuxer);
  if (result < 0) {
    av_packet_unref(packet);
    return result;
  }
  const cff_clock_section *section = section_at(demuxer, cff_place_of(demuxer, packet));
  packet->pts = on_clock(section, packet->pts);
  packet->dts = on_clock(section, packet->dts);
  return result;
}

int cff_seek_packet(cff_demuxer *demuxer, int stream_index, int64_t time) {
  AVFormatContext *format = demuxer->format;
  cff_forget_decoding_times(demuxer);
  cff_forget_gap_packets(demuxer, false);
  if (!demuxer->has_restarts) return av_seek_frame(format, stream_index, cff_seek_time(demuxer, stream_index, time), AVSEEK_FLAG_BACKWARD);
  int index = 0;
  while (index + 1 < demuxer->section_count && demuxer->sections[index + 1].start <= time) index++;
  const cff_clock_section *section = &demuxer->sections[index];
  int64_t end = index + 1 < demuxer->section_count ? demuxer->sections[index + 1].position : demuxer->file_size;
  double share = section->end > section->start ? (double)(time - section->start) / (double)(section->end - section->start) : 0;
  int64_t position = section->position + (int64_t)((double)(end - section->position) * av_clipd(share, 0, 1)) - seek_margin;
  if (position < section->position) position = section->position;
  for (int i = 0; i < demuxer->packet_positions_count; i++) demuxer->packet_positions[i] = position;
  return av_seek_frame(format, -1, position, AVSEEK_FLAG_BYTE);
}

// MARK: starting

/// Starts with one section from the first timestamp, and finds the earliest start of any stream on its clock.
cff_status cff_start_sections(cff_demuxer *demuxer, cff_failure *failure) {
  if (!cff_demuxer_has_sections(demuxer)) return CFF_OK;
  const AVFormatContext *format = demuxer->format;
  if (demuxer->section_count == 0) {
    int64_t first = AV_NOPTS_VALUE;
    for (unsigned i = 0; i < format->nb_streams && first == AV_NOPTS_VALUE; i++) {
      if (is_timed(format->streams[i])) first = format->streams[i]->start_time;
    }
    cff_clock_section whole = {0, (first == AV_NOPTS_VALUE ? 0 : first) - lead, 0, 0, 0};
    cff_status status = cff_demuxer_use_sections(demuxer, &whole, 1, failure);
    if (status != CFF_OK) return status;
  }
  int64_t earliest = AV_NOPTS_VALUE;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    int64_t start = format->streams[i]->start_time;
    if (!is_timed(format->streams[i]) || start == AV_NOPTS_VALUE) continue;
    start = on_clock(&demuxer->sections[0], start);
    if (earliest == AV_NOPTS_VALUE || start < earliest) earliest = start;
  }
  demuxer->origin = earliest == AV_NOPTS_VALUE ? 0 : earliest;
  demuxer->origin_tick = (AVRational){1, clock_rate};
  return CFF_OK;
}

void cff_stop_sections(cff_demuxer *demuxer) {
  av_freep(&demuxer->packet_positions);
  demuxer->packet_positions_count = 0;
}
