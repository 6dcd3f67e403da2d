// Tracks that continue another file's track: parts of one recording. A decoder needs the last packets of the part before.
#include <string.h>

#include "Audio/audio_decoder_internal.h"

void cff_audio_keep_recent(cff_audio_decoder *decoder) {
  AVPacket *copy = av_packet_clone(decoder->packet);
  // Without it, the next part begins softly.
  if (!copy) return;
  int place = decoder->recent_count < kept_packets ? decoder->recent_count++ : decoder->recent_index;
  if (decoder->recent_count == kept_packets) decoder->recent_index = (place + 1) % kept_packets;
  av_packet_free(&decoder->recent[place]);
  decoder->recent[place] = copy;
}

void cff_audio_prime(cff_audio_decoder *decoder) {
  for (int i = 0; i < decoder->primer_count; i++) {
    if (avcodec_send_packet(decoder->context, decoder->primers[i]) < 0) continue;
    while (avcodec_receive_frame(decoder->context, decoder->frame) >= 0) av_frame_unref(decoder->frame);
  }
}

bool cff_audio_can_continue(const cff_audio_decoder *decoder, const cff_audio_decoder *previous) {
  const AVCodecParameters *a = cff_audio_stream(decoder)->codecpar, *b = cff_audio_stream(previous)->codecpar;
  return a->codec_id == b->codec_id && a->sample_rate == b->sample_rate && a->ch_layout.nb_channels == b->ch_layout.nb_channels &&
         a->extradata_size == b->extradata_size &&
         (a->extradata_size == 0 || memcmp(a->extradata, b->extradata, (size_t)a->extradata_size) == 0);
}

cff_status cff_audio_continue(cff_audio_decoder *decoder, const cff_audio_decoder *previous, cff_failure *failure) {
  for (int i = 0; i < decoder->primer_count; i++) av_packet_free(&decoder->primers[i]);
  decoder->primer_count = 0;
  for (int i = 0; previous && i < previous->recent_count; i++) {
    int place = previous->recent_count < kept_packets ? i : (previous->recent_index + i) % kept_packets;
    AVPacket *copy = av_packet_clone(previous->recent[place]);
    if (!copy) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
    // What is dropped at the ends of that file is not dropped here.
    av_packet_free_side_data(copy);
    copy->flags &= ~AV_PKT_FLAG_DISCARD;
    copy->pts = copy->dts = AV_NOPTS_VALUE;
    decoder->primers[decoder->primer_count++] = copy;
  }
  decoder->shows_hidden = previous != NULL;
  return cff_audio_seek(decoder, 0, failure);
}
