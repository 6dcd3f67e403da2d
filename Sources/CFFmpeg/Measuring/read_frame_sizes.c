// Which sizes the frames of a stream have, from its packets' headers. Nothing is decoded.
#include "Measuring/read_frame_sizes.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

// MARK: VP8, VP9

typedef struct bits {
  const uint8_t *data;
  int count, position;
} bits;

static int take(bits *b, int count) {
  int value = 0;
  for (int i = 0; i < count; i++, b->position++) {
    int bit = b->position < b->count ? b->data[b->position >> 3] >> (7 - (b->position & 7)) & 1 : 0;
    value = value << 1 | bit;
  }
  return value;
}

/// Skips a color description (VP9 bitstream specification, 6.2.2).
static void skip_color(bits *b, int profile) {
  bool has_layout = profile & 1;
  if (profile >= 2) take(b, 1);
  bool is_rgb = take(b, 3) == 7;
  if (!is_rgb) take(b, 1);
  if (has_layout) take(b, is_rgb ? 1 : 3);
}

static cff_pixel_size read_size(bits *b) {
  int width = take(b, 16) + 1;
  return (cff_pixel_size){width, take(b, 16) + 1};
}

/// The size of an inter frame, its own or that of a reference.
static cff_pixel_size size_by_references(bits *b, const cff_pixel_size *references) {
  int indexes[3];
  for (int i = 0; i < 3; i++) {
    indexes[i] = take(b, 3);
    take(b, 1);
  }
  for (int i = 0; i < 3; i++) {
    if (take(b, 1)) return references[indexes[i]];
  }
  return read_size(b);
}

/// The size of one frame of VP9 (6.2), which updates the references; empty if the frame is not shown.
static cff_pixel_size vp9_frame(cff_size_account *account, const uint8_t *data, int size) {
  bits b = {data, 8 * FFMIN(size, 64), 0};
  cff_pixel_size none = {0, 0};
  if (take(&b, 2) != 2) return none;
  int profile = take(&b, 1);
  profile |= take(&b, 1) << 1;
  if (profile == 3) take(&b, 1);
  if (take(&b, 1)) return account->references[take(&b, 3)];
  bool is_key = !take(&b, 1), is_shown = take(&b, 1), is_resilient = take(&b, 1);
  int refreshed = 0xff;
  cff_pixel_size found;
  if (is_key) {
    take(&b, 24);
    skip_color(&b, profile);
    found = read_size(&b);
  } else {
    bool is_intra = is_shown ? false : take(&b, 1);
    if (!is_resilient) take(&b, 2);
    if (is_intra) {
      take(&b, 24);
      if (profile > 0) skip_color(&b, profile);
    }
    refreshed = take(&b, 8);
    found = is_intra ? read_size(&b) : size_by_references(&b, account->references);
  }
  for (int i = 0; i < 8; i++) {
    if (refreshed >> i & 1) account->references[i] = found;
  }
  return is_shown ? found : none;
}

/// The size of the shown frame of a packet, which may be a superframe (annex B).
static cff_pixel_size vp9_size(cff_size_account *account, const uint8_t *data, int size) {
  int marker = data[size - 1], count = (marker & 7) + 1, width = (marker >> 3 & 3) + 1, index = 2 + count * width;
  if ((marker & 0xe0) != 0xc0 || size < index || data[size - index] != marker) return vp9_frame(account, data, size);
  const uint8_t *entry = data + size - index + 1;
  cff_pixel_size shown = {0, 0};
  for (int i = 0; i < count; i++) {
    int length = 0;
    for (int k = 0; k < width; k++) length |= *entry++ << (8 * k);
    if (length <= 0 || length > size - index) break;
    cff_pixel_size found = vp9_frame(account, data, length);
    if (found.width > 0) shown = found;
    data += length;
    size -= length;
  }
  return shown;
}

/// The size stated by a key frame of VP8 (RFC 6386, 9.1); other frames have the size of the last one.
static cff_pixel_size vp8_size(const cff_size_account *account, const uint8_t *data, int size) {
  if (size < 10 || (data[0] & 1)) return account->last;
  return (cff_pixel_size){AV_RL16(data + 6) & 0x3fff, AV_RL16(data + 8) & 0x3fff};
}

/// The size in the frame header of a JPEG (ITU-T T.81, B.2.2).
static cff_pixel_size jpeg_size(const cff_size_account *account, const uint8_t *data, int size) {
  for (int i = 2; i + 9 <= size && data[i] == 0xff; i += 2 + AV_RB16(data + i + 2)) {
    if (data[i + 1] >= 0xc0 && data[i + 1] <= 0xc2) return (cff_pixel_size){AV_RB16(data + i + 7), AV_RB16(data + i + 5)};
  }
  return account->last;
}

// MARK: other codecs

static bool has_parsed_size(enum AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_AV1;
}

static cff_pixel_size parsed_size(cff_size_account *account, const AVStream *stream, const AVPacket *packet) {
  if (!account->parser && !account->has_failed) {
    account->parser = av_parser_init(stream->codecpar->codec_id);
    account->context = avcodec_alloc_context3(NULL);
    account->has_failed = !account->parser || !account->context ||
                          avcodec_parameters_to_context(account->context, stream->codecpar) < 0;
    if (account->parser) account->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
  }
  if (account->has_failed) return (cff_pixel_size){0, 0};
  uint8_t *data;
  int size;
  av_parser_parse2(
      account->parser, account->context, &data, &size, packet->data, packet->size, packet->pts, packet->dts, packet->pos);
  int number = account->parser->output_picture_number;
  bool is_key = account->parser->key_frame == 1 || (packet->flags & AV_PKT_FLAG_KEY);
  if (!is_key && account->parser->pict_type == AV_PICTURE_TYPE_B && number < account->output_number) account->is_reordered = true;
  account->output_number = number;
  return (cff_pixel_size){account->parser->width, account->parser->height};
}

// MARK: order

/// Whether the first picture of a packet is predicted from both sides (MPEG-1 and -2: ISO/IEC 13818-2, 6.2.3; MPEG-4: ISO/IEC 14496-2, 6.2.5). It is shown before
/// the reference that was coded before it.
static bool is_bidirectional(enum AVCodecID codec, const uint8_t *data, int size) {
  enum { most_header_bytes = 4096 };
  bool is_mpeg4 = codec == AV_CODEC_ID_MPEG4;
  for (int i = 0; i + 6 <= FFMIN(size, most_header_bytes); i++) {
    if (data[i] || data[i + 1] || data[i + 2] != 1 || data[i + 3] != (is_mpeg4 ? 0xb6 : 0x00)) continue;
    return is_mpeg4 ? data[i + 4] >> 6 == 2 : (data[i + 5] >> 3 & 7) == 3;
  }
  return false;
}

/// Notes reordering in a stream of MPEG-1, -2 or -4.
static void note_order(cff_size_account *account, const cff_demuxer *demuxer, enum AVCodecID codec, const AVPacket *packet) {
  bool is_mpeg = codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG4;
  if (!is_mpeg || demuxer->traits.numbers_packets) return;
  if (is_bidirectional(codec, packet->data, packet->size)) {
    account->is_reordered = true;
    return;
  }
  // Where times may start again, an earlier one means nothing, nor do those of packets that an edit list leaves out.
  if (!demuxer->traits.has_one_clock || packet->pts == AV_NOPTS_VALUE || (packet->flags & AV_PKT_FLAG_DISCARD)) return;
  if (account->has_reference && packet->pts <= account->reference_time) account->is_out_of_order = true;
  account->reference_time = packet->pts;
  account->has_reference = true;
}

// MARK: account

static cff_pixel_size size_of(cff_size_account *account, const AVStream *stream, const AVPacket *packet) {
  switch (stream->codecpar->codec_id) {
  case AV_CODEC_ID_VP8: return vp8_size(account, packet->data, packet->size);
  case AV_CODEC_ID_VP9: return vp9_size(account, packet->data, packet->size);
  case AV_CODEC_ID_MJPEG: return jpeg_size(account, packet->data, packet->size);
  default: break;
  }
  if (has_parsed_size(stream->codecpar->codec_id)) return parsed_size(account, stream, packet);
  return (cff_pixel_size){0, 0};
}

void cff_size_account_take(cff_size_account *account, const cff_demuxer *demuxer, const AVPacket *packet) {
  if (packet->size < 1) return;
  const AVStream *stream = demuxer->format->streams[packet->stream_index];
  note_order(account, demuxer, stream->codecpar->codec_id, packet);
  cff_pixel_size size = size_of(account, stream, packet);
  if (size.width <= 0 || size.height <= 0) return;
  account->last = size;
  for (int i = 0; i < account->count; i++) {
    cff_frame_size *known = &account->sizes[i];
    if (known->width != size.width || known->height != size.height) continue;
    known->frame_count++;
    known->first_time = FFMIN(known->first_time, cff_packet_time(packet));
    return;
  }
  if (account->count == CFF_MOST_SIZES) return;
  account->sizes[account->count++] = (cff_frame_size){size.width, size.height, 1, cff_packet_time(packet)};
}

void cff_size_accounts_free(cff_demuxer *demuxer) {
  for (int i = 0; i < demuxer->size_accounts_count; i++) {
    av_parser_close(demuxer->size_accounts[i].parser);
    avcodec_free_context(&demuxer->size_accounts[i].context);
  }
  av_freep(&demuxer->size_accounts);
  demuxer->size_accounts_count = 0;
}

int cff_demuxer_frame_sizes(const cff_demuxer *demuxer, int index, cff_frame_size *sizes, int capacity) {
  if (index < 0 || index >= demuxer->size_accounts_count) return 0;
  const cff_size_account *account = &demuxer->size_accounts[index];
  int64_t origin = cff_demuxer_origin(demuxer, index);
  for (int i = 0; i < account->count && i < capacity; i++) {
    sizes[i] = account->sizes[i];
    sizes[i].first_time = av_sat_sub64(sizes[i].first_time, origin);
  }
  return account->count;
}
