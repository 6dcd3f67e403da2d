// The state of an audio decoder, which decoding and seeking share.
#pragma once
#include <libswresample/swresample.h>

#include "Audio/audio_matrix.h"
#include "Samples/read_counter.h"

/// Losses between two calls: a block of samples ends at most one, the end of the track another.
enum { most_losses = 4 };

/// Packets that are kept for a track that continues: more than any codec's overlap.
enum { kept_packets = 12 };

/// Packets that were given to the decoder but gave no samples yet. Those that cannot be decoded are silent; the samples after them are at the position that
/// their own packet states.
typedef struct cff_packet_run {
  int count, refused_count;
  /// Start and end in samples; meaningless unless `is_placed` is set.
  int64_t start, end;
  bool is_placed;
  /// Whether there was a pause, which is silent: what follows it is at its own time.
  bool has_pause;
} cff_packet_run;

struct cff_audio_decoder {
  cff_demuxer *demuxer;
  int stream_index;
  AVCodecContext *context;
  AVPacket *packet;
  /// The frames of the last packet that were not decoded yet; empty if a packet is one frame.
  AVPacket *rest;
  AVFrame *frame;
  /// Converts samples to float, and a changed rate back to the original one.
  SwrContext *converter;
  /// The layout for which the converter and the matrix were made.
  AVChannelLayout layout;
  int format, rate;
  cff_audio_matrix matrix;
  bool is_normalized;
  cff_audio_take take;
  int channel_count;
  /// Samples in the track's channels, if they differ from the requested ones; and in the requested ones.
  float *inputs[cff_audio_most_channels], *samples[8];
  int input_capacity, capacity;
  int sample_rate;
  bool seeks_exactly;
  /// Places the packets in containers whose times don't count samples. Their timestamps are then sample positions.
  cff_counter counter;
  bool is_counted, cannot_count;
  /// Where decoding can start in such a container; NULL if unknown.
  cff_audio_mark *marks;
  int mark_count;
  /// Whether `packet` is the next one to decode, found by a seek.
  bool holds_packet;
  /// Number of packets read.
  int64_t packet_count;
  /// Position of the next samples if their packet states it inexactly or not at all.
  int64_t next_position;
  bool position_is_known;
  /// Decoders may reject the first packets after a seek, which are not audible.
  bool is_running_in;
  bool is_drained;
  /// The packets since the last samples.
  cff_packet_run run;
  cff_audio_loss losses[most_losses];
  int loss_count;
  int64_t concealed_count;
  /// The reason why the decoder last rejected a packet, or why the packets ended.
  char reason[AV_ERROR_MAX_STRING_SIZE];
  bool ended_early, has_decoded;
  /// The most recent packets, the oldest at `recent_index` once there are `kept_packets`.
  AVPacket *recent[kept_packets];
  int recent_count, recent_index;
  /// The last packets of the track that this one continues, which are decoded before its own.
  AVPacket *primers[kept_packets];
  int primer_count;
  /// Whether the container's samples before its beginning are decoded, too: those are the end of that track.
  bool shows_hidden;
};

static inline AVStream *cff_audio_stream(const cff_audio_decoder *decoder) {
  return decoder->demuxer->format->streams[decoder->stream_index];
}

/// Selects the stream in a container that was opened again.
void cff_audio_select_stream(cff_audio_decoder *decoder);

/// Counts the samples of the packets from the first one, unless times do so. Returns false if memory ran out.
bool cff_audio_start_counting(cff_audio_decoder *decoder);

/// Opens a new decoder, whose output depends on nothing that was decoded before.
cff_status cff_audio_open_codec(cff_audio_decoder *decoder, cff_failure *failure);

/// Reads the next packet of the stream. Returns a libav error.
int cff_audio_read_packet(cff_audio_decoder *decoder);

/// Keeps the packet that was read last.
void cff_audio_keep_recent(cff_audio_decoder *decoder);

/// Decodes the packets of the track that this one continues, without using their samples.
void cff_audio_prime(cff_audio_decoder *decoder);
