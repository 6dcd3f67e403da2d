#include "Video/read_losses.h"

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

enum {
  /// Number of packets after which a missing frame counts as lost if times don't tell: more than any decoder holds back.
  longest_delay = 80,
  /// Number of packets that may follow one in decoding order and be shown before it, in all that encoders write.
  longest_group = 18,
  /// Packets up to this size mean that nothing changed, in the codecs that have such packets.
  empty_packet = 8,
};

// MARK: losses

static void lose(cff_ledger *ledger, const cff_sent_packet *packet) {
  if (ledger->loss_count == ledger->loss_capacity) {
    int capacity = ledger->loss_capacity > 0 ? 2 * ledger->loss_capacity : 16;
    cff_loss *grown = av_realloc_array(ledger->losses, (size_t)capacity, sizeof *grown);
    if (!grown) return;
    ledger->losses = grown;
    ledger->loss_capacity = capacity;
  }
  cff_loss *loss = &ledger->losses[ledger->loss_count++];
  *loss = (cff_loss){.time = packet->time};
  if (packet->error) av_strerror(packet->error, loss->reason, sizeof loss->reason);
  else av_strlcpy(loss->reason, "the decoder gave no frame for the packet", sizeof loss->reason);
}

/// Whether a packet's frame is missed if it doesn't come.
static bool is_missed(const cff_ledger *ledger, const cff_sent_packet *packet) {
  // Before its first frame, a decoder waits for a key frame, because recordings may begin anywhere.
  bool is_waiting = !ledger->has_picture && !(packet->is_key && packet->error);
  bool is_meant = packet->silence == CFF_SILENCE_IS_MEANT ||
                  (packet->silence == CFF_SILENCE_IS_MEANT_UNLESS_REFUSED && !ledger->has_error);
  // Two packets with a field each make one frame.
  bool is_silent = !packet->error && (is_meant || ledger->has_fields);
  // AV_NOPTS_VALUE is before every time.
  return !is_waiting && !is_silent && packet->time != AV_NOPTS_VALUE && packet->time >= ledger->trusted_from;
}

/// Decides on a packet whose frame will not come.
static void settle(cff_ledger *ledger, const cff_sent_packet *packet) {
  if (is_missed(ledger, packet)) lose(ledger, packet);
}

/// Decides on the packets whose frames were passed and waited for.
static void settle_overdue(cff_ledger *ledger) {
  int kept = 0;
  for (int i = 0; i < ledger->count; i++) {
    cff_sent_packet packet = ledger->sent[i];
    if (packet.is_passed && packet.serial + ledger->patience < ledger->last_serial) settle(ledger, &packet);
    else ledger->sent[kept++] = packet;
  }
  ledger->count = kept;
}

// MARK: packets

/// Whether a VP8 or VP9 packet codes a frame that is not shown, such as a reference for later ones.
static bool is_hidden(enum AVCodecID codec, const AVPacket *packet) {
  if (packet->size < 1) return true;
  uint8_t first = packet->data[0];
  if (codec == AV_CODEC_ID_VP8) return !(first & 0x10);
  if (codec != AV_CODEC_ID_VP9) return false;
  // Frame marker, profile (a reserved bit follows profile 3), show_existing_frame, frame_type, show_frame.
  int profile = (first >> 5 & 1) | (first >> 3 & 2);
  int bit = profile == 3 ? 2 : 3;
  bool shows_existing = first >> bit & 1;
  return !shows_existing && !(first >> (bit - 2) & 1);
}

static cff_silence silence_of(const cff_ledger *ledger, enum AVCodecID codec, const AVPacket *packet, int64_t time) {
  if ((packet->flags & AV_PKT_FLAG_DISCARD) || packet->size <= empty_packet || is_hidden(codec, packet)) {
    return CFF_SILENCE_IS_MEANT;
  }
  // Frames that lead a key frame may refer to missing ones.
  if (ledger->key_time != AV_NOPTS_VALUE && time != AV_NOPTS_VALUE && time < ledger->key_time) return CFF_SILENCE_IS_MEANT;
  return codec == AV_CODEC_ID_AV1 ? CFF_SILENCE_IS_MEANT_UNLESS_REFUSED : CFF_SILENCE_IS_LOSS;
}

static void set_number(AVCodecContext *decoder, AVPacket *packet, int64_t serial) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
  decoder->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
  packet->opaque = (void *)(intptr_t)serial;
#else
  (void)packet;
  decoder->reordered_opaque = serial;
#endif
}

static int64_t number_of(const AVFrame *frame) {
#if LIBAVCODEC_VERSION_MAJOR >= 60
  return (intptr_t)frame->opaque;
#else
  return frame->reordered_opaque;
#endif
}

static int patience_with(const AVCodecContext *decoder) {
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get(decoder->codec_id);
  if (!descriptor || !(descriptor->props & AV_CODEC_PROP_REORDER)) return 0;
  return longest_group + (decoder->active_thread_type & FF_THREAD_FRAME ? decoder->thread_count : 0);
}

void cff_ledger_send(cff_ledger *ledger, AVCodecContext *decoder, AVPacket *packet) {
  int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
  int64_t serial = ++ledger->last_serial;
  set_number(decoder, packet, serial);
  ledger->patience = patience_with(decoder);
  settle_overdue(ledger);
  if (ledger->count == ledger->capacity) {
    int capacity = ledger->capacity > 0 ? 2 * ledger->capacity : 64;
    cff_sent_packet *grown = av_realloc_array(ledger->sent, (size_t)capacity, sizeof *grown);
    // Without memory for this record, the decoder will not get far either.
    if (!grown) return;
    ledger->sent = grown;
    ledger->capacity = capacity;
  }
  bool is_key = packet->flags & AV_PKT_FLAG_KEY;
  ledger->sent[ledger->count++] =
      (cff_sent_packet){serial, time, 0, is_key, packet->pts != AV_NOPTS_VALUE,
                        (packet->flags & AV_PKT_FLAG_DISCARD) != 0, false, silence_of(ledger, decoder->codec_id, packet, time)};
  if (is_key) ledger->key_time = time;
}

void cff_ledger_refuse(cff_ledger *ledger, int error) {
  ledger->has_error = true;
  for (int i = ledger->count - 1; i >= 0; i--) {
    if (ledger->sent[i].serial == ledger->last_serial) ledger->sent[i].error = error;
  }
}

// MARK: frames

void cff_ledger_conceal(cff_ledger *ledger, int error) {
  ledger->concealed_count++;
  ledger->concealed_error = error;
}

/// Whether a frame, of the packet with a number, should have come after that of `packet`.
static bool is_passed_by(const cff_ledger *ledger, const cff_sent_packet *packet, int64_t serial, int64_t time) {
  if (!packet->is_ordered || time == AV_NOPTS_VALUE || packet->time >= time) return false;
  return ledger->patience > 0 || packet->serial < serial;
}

bool cff_ledger_receive(cff_ledger *ledger, const AVFrame *frame) {
  int64_t serial = number_of(frame);
  int kept = 0;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  ledger->has_fields = ledger->has_fields || (frame->flags & AV_FRAME_FLAG_INTERLACED);
#else
  ledger->has_fields = ledger->has_fields || frame->interlaced_frame;
#endif
  bool is_known = false, is_discarded = false;
  for (int i = 0; i < ledger->count; i++) is_known = is_known || ledger->sent[i].serial == serial;
  for (int i = 0; i < ledger->count; i++) {
    cff_sent_packet packet = ledger->sent[i];
    // Decoders may lose the number. If so, the time identifies the packet.
    if (is_known ? packet.serial == serial : packet.time == frame->pts) {
      if (packet.error) cff_ledger_conceal(ledger, packet.error);
      is_discarded = is_discarded || packet.is_discarded;
      continue;
    }
    packet.is_passed = packet.is_passed || (is_known && is_passed_by(ledger, &packet, serial, frame->pts));
    bool is_settled = packet.is_passed && (ledger->patience == 0 || packet.error || !is_missed(ledger, &packet));
    if (is_settled || packet.serial + longest_delay < ledger->last_serial) settle(ledger, &packet);
    else ledger->sent[kept++] = packet;
  }
  ledger->count = kept;
  ledger->has_picture = true;
  return is_discarded;
}

bool cff_ledger_waits(const cff_ledger *ledger) {
  bool waits = false;
  for (int i = 0; i < ledger->count; i++) waits = waits || ledger->sent[i].is_passed;
  return waits;
}

void cff_ledger_end(cff_ledger *ledger, bool may_end_anywhere) {
  for (int i = 0; i < ledger->count; i++) {
    const cff_sent_packet *packet = &ledger->sent[i];
    bool is_cut_off = may_end_anywhere && packet->error && packet->serial == ledger->last_serial;
    if (is_cut_off) cff_ledger_conceal(ledger, packet->error);
    else settle(ledger, packet);
  }
  ledger->count = 0;
}

void cff_ledger_restart(cff_ledger *ledger) {
  ledger->count = 0;
  ledger->key_time = ledger->trusted_from = AV_NOPTS_VALUE;
  ledger->has_picture = ledger->has_error = ledger->has_fields = false;
}

void cff_ledger_close(cff_ledger *ledger) {
  av_freep(&ledger->sent);
  av_freep(&ledger->losses);
  *ledger = (cff_ledger){0};
}
