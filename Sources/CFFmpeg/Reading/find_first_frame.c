// Recordings of AAC, AC-3 and E-AC-3 that begin within a frame. libavformat makes a packet of what is before the first whole one, which nothing can decode.
#include "Reading/read_internal.h"
#include "Common/file_window.h"

#include <libavcodec/ac3_parser.h>
#include <libavutil/intreadwrite.h>
#include <string.h>

enum {
  header_size = 8,
  /// Frames are at most 8 KiB long (ISO/IEC 13818-7, 6.2; ETSI TS 102 366, E.1.3.1.3).
  farthest = 1 << 16,
  /// Frames that follow each other, since coded audio may look like a header.
  fewest_frames = 3,
};

/// The size of the frame of AC-3 or E-AC-3 that has a header; 0 if it is none. `is_main` receives whether it is complete without the one before.
static int ac3_size(const uint8_t *bytes, bool *is_main) {
  // Dependent substreams of E-AC-3 (TS 102 366, E.1.3.1.1) add channels to the frame before.
  enum { sync_word = 0x0b77, extended = 11, dependent = 1 };
  uint8_t identifier;
  uint16_t size;
  if (AV_RB16(bytes) != sync_word || av_ac3_parse_header(bytes, header_size, &identifier, &size) < 0) return 0;
  *is_main = identifier < extended || bytes[2] >> 6 != dependent;
  return size;
}

/// The size of the frame of AAC that has an ADTS header (13818-7, 6.2); 0 if it is none.
static int adts_size(const uint8_t *bytes) {
  enum { shortest = 7, last_rate = 12 };
  int size = (bytes[3] & 3) << 11 | bytes[4] << 3 | bytes[5] >> 5;
  bool is_header = (AV_RB16(bytes) & 0xfff6) == 0xfff0 && (bytes[2] >> 2 & 15) <= last_rate;
  return is_header && size > shortest ? size : 0;
}

static int frame_size(cff_window *window, enum AVCodecID codec, int64_t position, bool *is_main) {
  const uint8_t *bytes = cff_window_at(window, position, header_size);
  *is_main = true;
  if (!bytes) return 0;
  return codec == AV_CODEC_ID_AAC ? adts_size(bytes) : ac3_size(bytes, is_main);
}

/// Whether frames follow each other from a position on, up to the end of a short file.
static bool begins_frames(cff_window *window, enum AVCodecID codec, int64_t position, int64_t end) {
  for (int i = 0; i < fewest_frames && position < end; i++) {
    bool is_main;
    int size = frame_size(window, codec, position, &is_main);
    if (size == 0 || (i == 0 && !is_main)) return false;
    position += size;
  }
  return true;
}

int64_t cff_first_frame(const cff_demuxer *demuxer) {
  cff_window window = {.descriptor = demuxer->descriptor};
  int64_t found = 0;
  bool is_main;
  const uint8_t *bytes = cff_window_at(&window, 0, header_size);
  // libavformat skips a tag itself.
  bool has_tag = bytes && memcmp(bytes, "ID3", 3) == 0, has_stream = demuxer->format->nb_streams > 0;
  enum AVCodecID codec = has_stream ? demuxer->format->streams[0]->codecpar->codec_id : AV_CODEC_ID_NONE;
  bool may_begin_within = bytes && has_stream && !has_tag && frame_size(&window, codec, 0, &is_main) == 0;
  for (int64_t i = 1; may_begin_within && found == 0 && i < farthest; i++) {
    if (begins_frames(&window, codec, i, demuxer->file_size)) found = i;
  }
  cff_window_close(&window);
  return found;
}
