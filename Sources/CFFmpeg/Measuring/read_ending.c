// Whether a file is as long as its outermost elements state.
#include "read_probe.h"
#include "Measuring/stated_ends.h"

#include <fcntl.h>
#include <libavutil/intreadwrite.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Whether the boxes of an ISO file (ISO/IEC 14496-12, 4.2) end with the file and contain an index.
static bool boxes_end_early(int descriptor, int64_t file_size) {
  enum { most_boxes = 100000 };
  uint8_t head[16];
  int64_t position = 0;
  bool has_index = false;
  for (int i = 0; i < most_boxes && position < file_size; i++) {
    ssize_t count = pread(descriptor, head, sizeof head, position);
    if (count < 8) return true;
    int64_t size = AV_RB32(head);
    has_index = has_index || memcmp(head + 4, "moov", 4) == 0 || memcmp(head + 4, "meta", 4) == 0;
    if (size == 1) size = count < 16 ? 0 : (int64_t)AV_RB64(head + 8);
    else if (size == 0) size = file_size - position;
    if (size < 8 || size > file_size - position) return true;
    position += size;
  }
  return !has_index;
}

/// Whether the last frame of a codec may end in many zeros: samples that are zero, or padding to a fixed size or rate.
static bool may_be_zeros(enum AVCodecID codec) {
  switch (codec) {
    case AV_CODEC_ID_RAWVIDEO: case AV_CODEC_ID_V210: case AV_CODEC_ID_R210: case AV_CODEC_ID_V308: case AV_CODEC_ID_V408: case AV_CODEC_ID_V410:
    case AV_CODEC_ID_MPEG1VIDEO: case AV_CODEC_ID_MPEG2VIDEO: case AV_CODEC_ID_DNXHD: case AV_CODEC_ID_PRORES: case AV_CODEC_ID_DVVIDEO:
    case AV_CODEC_ID_JPEG2000: return true;
    default: return codec >= AV_CODEC_ID_FIRST_AUDIO && codec < AV_CODEC_ID_ADPCM_IMA_QT;
  }
}

bool cff_ends_in_zeros(const cff_demuxer *demuxer) {
  enum { tail_size = 2048 };
  if (!demuxer->traits.has_no_padding || demuxer->file_size < tail_size) return false;
  // A packet of a transport stream has another byte than zero, whatever its codec.
  for (unsigned i = 0; i < demuxer->format->nb_streams && !demuxer->traits.has_transport_packets; i++) {
    if (may_be_zeros(demuxer->format->streams[i]->codecpar->codec_id)) return false;
  }
  uint8_t tail[tail_size];
  if (pread(demuxer->descriptor, tail, sizeof tail, demuxer->file_size - tail_size) != sizeof tail) return false;
  for (int i = 0; i < tail_size; i++) {
    if (tail[i]) return false;
  }
  return true;
}

bool cff_file_ends_early(const char *path) {
  struct stat information;
  if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return false;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return false;
  uint8_t head[8];
  bool has_head = pread(descriptor, head, sizeof head, 0) == sizeof head;
  bool is_iso = has_head && (memcmp(head + 4, "ftyp", 4) == 0 || memcmp(head + 4, "moov", 4) == 0 ||
                             memcmp(head + 4, "mdat", 4) == 0 || memcmp(head + 4, "wide", 4) == 0);
  cff_demuxer file = {.descriptor = descriptor, .file_size = information.st_size};
  bool ends_early = is_iso ? boxes_end_early(descriptor, information.st_size)
                           : has_head && cff_declared_file_size(&file) > information.st_size;
  close(descriptor);
  return ends_early;
}
