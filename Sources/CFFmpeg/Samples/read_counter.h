// Counts the samples of an audio stream from its packets, so that measuring, reading in order and seeking place them alike.
#pragma once
#include "audio_decoder.h"
#include "Samples/read_flac.h"
#include "Reading/read_internal.h"
#include "Samples/read_waver.h"

#include <libavcodec/avcodec.h>

/// The samples of a stream's packets, in file order.
typedef struct cff_counter {
  cff_demuxer *demuxer;
  int stream_index;
  /// Sample rate of the track in Hz.
  int rate;
  /// Whether the file has a table of its packets, whose times are in ticks of samples, but the length of packets isn't that of the codec.
  bool is_table_of_samples;
  /// Reads the number of samples from a packet's header, for codecs whose packets vary.
  AVCodecParserContext *parser;
  AVCodecContext *context;
  /// The position after the packets so far; meaningless unless `is_known` is set.
  int64_t next;
  bool is_known;
  /// Bytes that the packets so far leave over of a block, in uncompressed audio of DVDs.
  int rest;
  /// What packets of another rate than the track's leave over of a sample, in parts of that rate.
  int64_t part_of_sample;
  /// The rate in the header of the first AAC packet, and whether that of the last one differs.
  int header_rate;
  bool has_other_rate;
  /// The channels of the first packet that states them, the largest number of another one, and the position of the first of these.
  int channels, other_channels;
  int64_t other_position;
  /// The section of the last packet, in a transport or program stream.
  int section;
  /// The end of the next packet if it is that of a mark, whose number of samples may depend on an earlier packet; else AV_NOPTS_VALUE.
  int64_t marked_end;
  /// Whether times are to be ignored: after a seek by bytes, the demuxer counts from there.
  bool ignores_times;
  /// Whether the last packet was none of the stream's, but bytes that were taken for one.
  bool is_foreign;
  /// Samples that are still to be dropped at the beginning, and whether there were any.
  int64_t skipped;
  bool has_priming;
  /// Streams of a chained Ogg file after the first one, what is added to the times of this one, and its packets.
  int64_t links, link_shift, link_packets;
  /// Where frames of MP3 are missing, AV_NOPTS_VALUE if none are so far, and how many samples that is.
  int64_t missing_at, missing_samples;
  /// Samples of the first packet of a stream that libavformat counts although there are none; its end is as much too early.
  int64_t phantom;
  /// Whether times count samples: they are believed, and only gaps are looked for.
  bool is_exact;
  cff_waver waver;
  /// The number that the next frame of FLAC has.
  cff_flac_number flac;
  /// Gaps and overlaps so far, in rising order; NULL before there are any.
  cff_audio_gap *gaps;
  int gap_count, gap_capacity;
  /// The largest difference in samples of a packet's time that was taken for an inexact one; negative if that is early.
  int64_t wander;
  /// Number of packets, and how many of them did not follow the one before.
  int64_t packets, jumps;
  /// Samples of the packets so far.
  int64_t samples;
  /// The largest number of samples of a packet so far, and that of the last packet.
  int64_t largest, last;
  /// First audible position and the end; meaningless before there are samples.
  int64_t first, end;
  bool has_samples;
  /// Whether a packet has an unknown number of samples, so that nothing can be counted.
  bool has_failed;
  /// Places to start decoding at, about two per second; NULL if they are not kept.
  cff_audio_mark *marks;
  /// Place of the last packet in the file.
  int64_t last_byte_position;
  int mark_count, mark_capacity;
  bool keeps_marks;
} cff_counter;

/// Whether times of a stream count samples, so that nothing needs to be counted.
bool cff_times_count_samples(const cff_demuxer *demuxer, int stream_index, int rate);

/// Prepares counting the packets of a stream from its first one. Returns a libav error.
int cff_counter_open(cff_counter *counter, cff_demuxer *demuxer, int stream_index, bool keeps_marks);
void cff_counter_close(cff_counter *counter);

/// Counts a packet, which must be the next one of the stream. Returns the position of its first sample, or AV_NOPTS_VALUE if it is unknown.
int64_t cff_counter_take(cff_counter *counter, const AVPacket *packet);

/// Extends the samples that are heard.
void cff_counter_extend(cff_counter *counter, int64_t start, int64_t end);
/// Notes that a packet begins `length` samples after the end of the one before, or before it if that is negative.
void cff_counter_keep_gap(cff_counter *counter, int64_t length);
/// Begins at 0 with a gap if the stream lacks its beginning. `audible` is the position of the first samples that are heard of its first packet.
void cff_counter_begin_earlier(cff_counter *counter, const AVPacket *packet, int64_t audible);
/// Samples that are missing before a packet of MP3; 0 before others.
int64_t cff_counter_missing_before(const cff_counter *counter, const AVPacket *packet);
/// Ends with a gap if the stream states a later end than that of its packets; without padding that follows a gap.
void cff_counter_end_later(cff_counter *counter);
/// The position of a time in ticks of the stream.
int64_t cff_counter_position(const cff_counter *counter, int64_t time);

/// Whether a decoder returns no samples for the first packet of a stream, because each packet completes the one before.
bool cff_begins_silently(const cff_counter *counter);
/// Whether a packet is a header of a stream that begins within an Ogg file.
bool cff_is_header(const cff_counter *counter, const AVPacket *packet);
/// Whether a packet at a position begins a stream of an Ogg file whose times have to be mapped.
bool cff_begins_link(const cff_counter *counter, int64_t position);
/// Puts a stream that begins with a packet behind the one before. Returns the packet's position.
int64_t cff_begin_link(cff_counter *counter, const AVPacket *packet, int64_t position, int64_t skipped, int64_t count);
/// Corrects the number of samples that a decoder is to drop at the end of a packet that was just taken.
void cff_counter_amend(const cff_counter *counter, AVPacket *packet);

/// Continues with the packet at a mark, after a seek by time or by its place in the file.
void cff_counter_continue(cff_counter *counter, const cff_audio_mark *mark, bool is_by_place);

/// Whether the count agrees with the packets' times.
bool cff_counter_is_trustworthy(const cff_counter *counter);

/// Counts the audio streams of a file whose packets are all read from the beginning. Returns a libav error.
int cff_counters_open(cff_demuxer *demuxer);
/// Ends the counters after the last packet.
void cff_counters_end(cff_demuxer *demuxer);
/// Counts a packet of any stream.
void cff_counters_take(cff_demuxer *demuxer, const AVPacket *packet);
/// Whether the packets have fewer samples than the header of a lossless format promises.
bool cff_counters_lack_samples(const cff_demuxer *demuxer);
/// Writes what was counted of a stream.
void cff_counters_conclude(const cff_demuxer *demuxer, int stream_index, cff_extent *extent);
