// What a file states about its own size.
#include "Measuring/stated_ends.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

/// Whether a size of 32 bits is one of those that programs leave that write to a pipe or stopped early.
static bool is_open_size(uint32_t size) { return size == 0 || size >= 0xfffffff0u; }

/// What an AVI states about the size of its packets. `end` receives where they end by that size.
static cff_packets find_packet_list(const cff_demuxer *demuxer, int64_t *end) {
  uint8_t head[12];
  bool is_avi = pread(demuxer->descriptor, head, sizeof head, 0) == (ssize_t)sizeof head && memcmp(head, "RIFF", 4) == 0 &&
                memcmp(head + 8, "AVI ", 4) == 0;
  int64_t position = 12;
  for (int i = 0; is_avi && i < 64 && pread(demuxer->descriptor, head, sizeof head, position) == (ssize_t)sizeof head; i++) {
    uint32_t size = AV_RL32(head + 4);
    if (memcmp(head, "LIST", 4) == 0 && memcmp(head + 8, "movi", 4) == 0) {
      if (is_open_size(size)) return CFF_PACKETS_OPEN;
      *end = position + 8 + size;
      return *end <= demuxer->file_size ? CFF_PACKETS_WHOLE : CFF_PACKETS_EXCEED;
    }
    position += 8 + (int64_t)size + (size & 1);
  }
  return CFF_PACKETS_NONE;
}

cff_packets cff_packet_list_of_avi(const cff_demuxer *demuxer) {
  int64_t end;
  return find_packet_list(demuxer, &end);
}

int64_t cff_duration_of_cut_avi(const cff_demuxer *demuxer, const AVStream *stream, int64_t present) {
  int64_t end = 0;
  if (stream->nb_frames <= 0 || find_packet_list(demuxer, &end) != CFF_PACKETS_EXCEED) return AV_NOPTS_VALUE;
  // Of uncompressed audio, a tick is a sample, and of all else a packet: none takes less than a byte.
  int64_t missing = stream->nb_frames - present;
  return missing >= 0 && missing <= end - demuxer->file_size ? stream->nb_frames : missing < 0 ? present : 0;
}

int64_t cff_mp3_slack(const cff_mp3_statement *statement) {
  enum { slack = 4096, parts = 16 };
  return FFMIN(slack, statement->bytes / parts);
}

/// Size of an MP3 as the encoder's first frame states it, less what encoders count differently; 0 if it doesn't.
static int64_t size_of_mp3(const cff_demuxer *demuxer) {
  cff_mp3_statement statement;
  if (!cff_read_mp3_statement(demuxer, &statement)) return 0;
  return statement.start + statement.bytes - cff_mp3_slack(&statement);
}

static const uint8_t asf_name[] = {0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c};

/// Reads an ASF file's properties, whose times count preroll in milliseconds.
static void take_asf_properties(const uint8_t object[92], cff_asf *asf) {
  int64_t play = (int64_t)FFMIN(AV_RL64(object + 64), INT64_MAX / 2), preroll = (int64_t)FFMIN(AV_RL64(object + 80), INT32_MAX);
  asf->is_broadcast = (AV_RL32(object + 88) & 1) != 0;
  asf->duration = asf->is_broadcast ? 0 : FFMAX(play - preroll * 10000, 0);
}

cff_asf cff_asf_header(const cff_demuxer *demuxer) {
  static const uint8_t data[] = {0x36, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce, 0x6c};
  static const uint8_t properties[] = {0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53, 0x65};
  cff_asf asf = {0};
  uint8_t object[92];
  if (pread(demuxer->descriptor, object, 30, 0) != 30 || memcmp(object, asf_name, sizeof asf_name) != 0) return asf;
  uint64_t header = AV_RL64(object + 16), position = 30;
  if (header < 30 || header > (uint64_t)demuxer->file_size) return asf;
  for (int i = 0; i < 256 && position + sizeof object <= header; i++) {
    if (pread(demuxer->descriptor, object, sizeof object, (off_t)position) != (ssize_t)sizeof object) return asf;
    uint64_t size = AV_RL64(object + 16);
    if (memcmp(object, properties, sizeof properties) == 0) take_asf_properties(object, &asf);
    if (size < 24 || size > header - position) return asf;
    position += size;
  }
  if (asf.is_broadcast || pread(demuxer->descriptor, object, 24, (off_t)header) != 24) return asf;
  uint64_t size = AV_RL64(object + 16);
  if (memcmp(object, data, sizeof data) == 0 && size < INT64_MAX / 2) asf.packets_end = (int64_t)(header + size);
  return asf;
}

int64_t cff_declared_file_size(const cff_demuxer *demuxer) {
  uint8_t head[256];
  ssize_t count = pread(demuxer->descriptor, head, sizeof head, 0);
  if (demuxer->stated_size.kind != CFF_SIZE_NONE) return 0;
  if (count >= 12 && memcmp(head, "RIFF", 4) == 0) {
    uint32_t size = AV_RL32(head + 4);
    cff_packets list = cff_packet_list_of_avi(demuxer);
    bool is_whole = list == CFF_PACKETS_OPEN || list == CFF_PACKETS_WHOLE;
    return is_open_size(size) || is_whole ? 0 : (int64_t)size + 8;
  }
  if (count >= 10 && (memcmp(head, "ID3", 3) == 0 || (head[0] == 0xff && (head[1] & 0xe6) == 0xe2))) return size_of_mp3(demuxer);
  if (count >= 16 && memcmp(head, asf_name, sizeof asf_name) == 0) return cff_asf_header(demuxer).packets_end;
  return cff_declared_matroska_size(demuxer);
}
