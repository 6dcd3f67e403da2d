// Losses among the packets of a transport stream (ISO/IEC 13818-1, 2.4.3): each has the number after the one before, from 0 to 15.
#include "Measuring/read_damage.h"

#include <libavutil/intreadwrite.h>
#include <libavutil/opt.h>
#include <string.h>
#include <unistd.h>

enum { packet_size = 188, header_size = 4, block_size = 1 << 16, sync_byte = 0x47 };

/// The packets of one stream so far.
typedef struct listener {
  int identifier;
  /// Number and payload of the last packet; -1 before there is one.
  int number, size;
  uint8_t payload[packet_size];
  /// Where the present unit (2.4.3.6: a PES packet) begins in the file, and how many of its bytes are still to come; -1 if that is unknown.
  int64_t unit_place, bytes_left;
  /// Whether packets were skipped since the unit began.
  bool has_skipped;
  cff_transport_losses losses;
} listener;

static void lose(listener *l) {
  if (l->losses.count++ == 0) l->losses.first_place = l->unit_place;
}

/// Ends the present unit and begins another. A joint of two parts comes between whole units; what was lost within one leaves it too short.
static void begin_unit(listener *l, const uint8_t *payload, int size, int64_t place) {
  if (l->has_skipped && l->bytes_left > 0) lose(l);
  bool has_size = size >= 6 && AV_RB24(payload) == 1 && AV_RB16(payload + 4) > 0;
  l->bytes_left = has_size ? AV_RB16(payload + 4) + 6 - size : -1;
  l->has_skipped = false;
  l->unit_place = place;
}

static void continue_unit(listener *l, int size, bool is_next) {
  if (is_next) {
    if (l->bytes_left >= 0) l->bytes_left = FFMAX(0, l->bytes_left - size);
    return;
  }
  // Once for each unit.
  if (!l->has_skipped) lose(l);
  l->has_skipped = true;
  l->bytes_left = -1;
}

static void listen(listener *l, const uint8_t *packet, int64_t place) {
  bool is_erroneous = packet[1] & 0x80, has_payload = packet[3] & 0x10, has_adaptation = packet[3] & 0x20;
  if ((AV_RB16(packet + 1) & 0x1fff) != l->identifier || is_erroneous || !has_payload) return;
  int offset = header_size + (has_adaptation ? 1 + packet[header_size] : 0), size = packet_size - offset;
  if (size <= 0) return;
  const uint8_t *payload = packet + offset;
  int number = packet[3] & 15;
  bool is_announced = has_adaptation && packet[header_size] > 0 && (packet[header_size + 1] & 0x80);
  // 2.4.3.3: a packet may be sent twice.
  if (number == l->number && size == l->size && memcmp(payload, l->payload, (size_t)size) == 0) return;
  bool is_next = l->number < 0 || is_announced || number == ((l->number + 1) & 15);
  if (packet[1] & 0x40) {
    l->has_skipped = l->has_skipped || !is_next;
    begin_unit(l, payload, size, place);
  } else {
    continue_unit(l, size, is_next);
  }
  l->number = number;
  l->size = size;
  memcpy(l->payload, payload, (size_t)size);
}

/// Listens to the packets in a block of the file. Returns the number of bytes that are done.
static int listen_to_block(listener *l, const uint8_t *bytes, int count, int distance, int64_t start) {
  int position = 0;
  while (position + packet_size <= count) {
    bool is_packet = bytes[position] == sync_byte && (position + distance >= count || bytes[position + distance] == sync_byte);
    if (is_packet) listen(l, bytes + position, start + position);
    position += is_packet ? distance : 1;
  }
  return position;
}

cff_transport_losses cff_find_transport_losses(const cff_demuxer *demuxer, int identifier) {
  listener l = {.identifier = identifier, .number = -1, .bytes_left = -1, .losses.first_place = -1};
  int64_t distance = 0, position = 0;
  // Packets of discs have 4 bytes before them, those of some broadcasts 16 after them.
  if (av_opt_get_int(demuxer->format->priv_data, "ts_packetsize", 0, &distance) < 0 || distance < packet_size) return l.losses;
  uint8_t *bytes = av_malloc(block_size);
  ssize_t count = bytes ? block_size : 0;
  while (count >= packet_size) {
    count = pread(demuxer->descriptor, bytes, block_size, position);
    if (count >= packet_size) position += listen_to_block(&l, bytes, (int)count, (int)distance, position);
  }
  av_free(bytes);
  return l.losses;
}
