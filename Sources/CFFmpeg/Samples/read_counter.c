#include "Samples/read_counter.h"
#include "Times/read_numbered.h"
#include "Times/sections.h"

#include <libavutil/intreadwrite.h>

#include "Samples/mp3_frames.h"
#include "Samples/read_channels.h"
#include "Samples/read_dvd.h"
#include "Samples/read_eac3.h"
#include "Samples/read_lossless.h"
#include "Samples/read_wma.h"
#include "Samples/split_packet.h"

enum {
  /// Marks per second.
  marks_per_second = 2,
  /// A packet belongs to the samples before it unless its time differs by more than a fiftieth of a second.
  gaps_per_second = 50,
  /// A gap of exact times is one of more than one of this many parts of a packet.
  few_samples = 16,
  /// Packets of a twenty-fifth of a second and more are long.
  long_per_second = 25,
  /// A gap of uncompressed audio in AVI is one of more than 5 ms.
  losses_per_second = 200,
  /// Packets of another rate than the track's may have times that are wrong by a tenth of a second.
  steps_of_other_rate = 10,
};

static AVStream *stream_of(const cff_counter *counter) { return counter->demuxer->format->streams[counter->stream_index]; }

/// Whether libavformat derives the times after a jump from the bytes per second that the header states. Of compressed audio, that is a rounded number, which many
/// writers leave at a default.
static bool jumps_by_bytes(const cff_demuxer *demuxer, const AVCodecParameters *parameters) {
  bool is_uncompressed = parameters->codec_id >= AV_CODEC_ID_FIRST_AUDIO && parameters->codec_id < AV_CODEC_ID_ADPCM_IMA_QT;
  return !is_uncompressed && demuxer->traits.jumps_by_bytes;
}

static bool has_ticks_of_samples(const AVStream *stream, int rate) {
  AVRational base = stream->time_base;
  return base.den > 0 && ((int64_t)base.num * rate) % base.den == 0;
}

/// Whether times are those of packets of the mean size: the frames of FLAC, which say their own size, follow one another.
static bool has_mean_times(const cff_demuxer *demuxer, const AVStream *stream) {
  return stream->codecpar->codec_id == AV_CODEC_ID_FLAC && demuxer->traits.counts_whole_packets;
}

static bool is_one_of(uint64_t streams, const AVStream *stream) { return stream->index < 64 && streams >> stream->index & 1; }

static bool times_waver(const cff_demuxer *demuxer, const AVStream *stream) { return is_one_of(demuxer->sample_times.wavering, stream); }

/// Whether packets follow one another whatever their times.
static bool ignores_times(const cff_demuxer *demuxer, const AVStream *stream) {
  return has_mean_times(demuxer, stream) || is_one_of(demuxer->sample_times.wrong, stream);
}

bool cff_times_count_samples(const cff_demuxer *demuxer, int stream_index, int rate) {
  const AVStream *stream = demuxer->format->streams[stream_index];
  if (!demuxer->traits.counts_samples || !has_ticks_of_samples(stream, rate)) return false;
  // Of the last packet, ALAC may fill a part.
  bool is_filled = stream->codecpar->codec_id != AV_CODEC_ID_ALAC || !demuxer->traits.counts_whole_packets;
  return is_filled && !ignores_times(demuxer, stream) && !times_waver(demuxer, stream) && !jumps_by_bytes(demuxer, stream->codecpar);
}

/// Forgets the packets so far, on which the number of samples of a Vorbis packet depends.
static void begin_parsing(cff_counter *counter) {
  av_parser_close(counter->parser);
  counter->parser = av_parser_init(stream_of(counter)->codecpar->codec_id);
  if (counter->parser) counter->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
}

int cff_counter_open(cff_counter *counter, cff_demuxer *demuxer, int stream_index, bool keeps_marks) {
  *counter = (cff_counter){
      .demuxer = demuxer, .stream_index = stream_index, .keeps_marks = keeps_marks, .marked_end = AV_NOPTS_VALUE, .missing_at = AV_NOPTS_VALUE};
  const AVCodecParameters *parameters = stream_of(counter)->codecpar;
  counter->rate = parameters->sample_rate;
  counter->has_failed = counter->rate <= 0;
  counter->is_table_of_samples =
      demuxer->traits.has_sample_table && parameters->frame_size <= 0 && has_ticks_of_samples(stream_of(counter), counter->rate);
  counter->ignores_times = ignores_times(demuxer, stream_of(counter));
  begin_parsing(counter);
  if (!counter->parser) return 0;
  counter->context = avcodec_alloc_context3(NULL);
  return counter->context ? avcodec_parameters_to_context(counter->context, parameters) : AVERROR(ENOMEM);
}

void cff_counter_close(cff_counter *counter) {
  av_parser_close(counter->parser);
  avcodec_free_context(&counter->context);
  av_freep(&counter->marks);
  av_freep(&counter->gaps);
  *counter = (cff_counter){0};
}

// MARK: samples of a packet

/// Samples by the packet's own header, at the track's rate; 0 if it states none.
static int64_t parsed_count(cff_counter *counter, const AVPacket *packet) {
  if (!counter->parser) return 0;
  uint8_t *bytes = NULL;
  int size = 0;
  counter->parser->duration = 0;
  av_parser_parse2(
      counter->parser, counter->context, &bytes, &size, packet->data, packet->size, packet->pts, packet->dts, packet->pos);
  int64_t count = counter->parser->duration;
  int rate = counter->context->sample_rate;
  return count > 0 && rate > 0 && rate != counter->rate ? av_rescale(count, counter->rate, rate) : FFMAX(count, 0);
}

/// Spectral band replication doubles the samples of a packet. libavformat finds it by decoding, and states the doubled rate but not the doubled number.
static int64_t aac_count(const AVCodecParameters *parameters) {
  enum { aac_he = 4, aac_he_v2 = 28 };
  bool is_doubled = parameters->profile == aac_he || parameters->profile == aac_he_v2;
  return is_doubled && parameters->frame_size <= 1024 ? parameters->frame_size * 2 : parameters->frame_size;
}

/// Samples of an AAC packet with a header of its own (ISO/IEC 13818-7, 6.2), at the track's rate: the rate of a broadcast may change from packet to packet.
/// The header states the rate before bands are replicated, at which each block has 1,024 samples.
static int64_t adts_count(cff_counter *counter, const AVPacket *packet) {
  static const int rates[] = {96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350};
  const AVCodecParameters *parameters = stream_of(counter)->codecpar;
  bool has_header = parameters->extradata_size == 0 && packet->size >= 7 && (AV_RB16(packet->data) & 0xfff6) == 0xfff0;
  unsigned index = has_header ? packet->data[2] >> 2 & 15 : sizeof rates / sizeof *rates;
  if (index >= sizeof rates / sizeof *rates) return 0;
  if (counter->header_rate == 0) counter->header_rate = rates[index];
  counter->has_other_rate = rates[index] != counter->header_rate;
  int64_t parts = 1024 * ((packet->data[6] & 3) + (int64_t)1) * counter->rate + counter->part_of_sample;
  counter->part_of_sample = parts % rates[index];
  return parts / rates[index];
}

static int64_t sample_count(cff_counter *counter, const AVPacket *packet) {
  AVCodecParameters *parameters = stream_of(counter)->codecpar;
  int64_t counted = parameters->codec_id == AV_CODEC_ID_AAC ? adts_count(counter, packet) : 0;
  if (counted <= 0) counted = cff_wma_samples(parameters, packet);
  if (counted <= 0) counted = cff_alac_samples(parameters, packet);
  if (counted <= 0) counted = cff_dvd_samples(parameters, packet, &counter->rest);
  // In other containers, E-AC-3 is placed by its times, within their tolerance.
  if (counted <= 0 && counter->demuxer->traits.has_sample_table) counted = cff_eac3_samples(parameters, packet);
  if (counted > 0) return counted;
  bool is_constant = parameters->codec_id == AV_CODEC_ID_AAC && parameters->frame_size > 0;
  int64_t count = is_constant ? aac_count(parameters) : parsed_count(counter, packet);
  return count > 0 ? count : av_get_audio_frame_duration2(parameters, packet->size);
}

/// Samples to drop at both ends of a packet.
static void read_skips(cff_counter *counter, const AVPacket *packet, int64_t *skipped, int64_t *discarded) {
  size_t size = 0;
  const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  *skipped = *discarded = 0;
  if (data && size >= 10) {
    *skipped = AV_RL32(data);
    *discarded = AV_RL32(data + 4);
  }
  const AVCodecParameters *parameters = stream_of(counter)->codecpar;
  // RFC 7845: the decoder drops the samples that the identification header states, if the container doesn't.
  if (counter->packets == 0 && *skipped == 0 && parameters->codec_id == AV_CODEC_ID_OPUS && parameters->extradata_size >= 12) {
    *skipped = AV_RL16(parameters->extradata + 10);
  }
}

// MARK: positions

/// Number of samples by which a rounded time may be wrong.
static int64_t tick(const cff_counter *counter) {
  AVRational base = stream_of(counter)->time_base;
  return av_rescale_rnd(counter->rate, base.num, base.den, AV_ROUND_UP);
}

int64_t cff_counter_position(const cff_counter *counter, int64_t time) {
  int64_t origin = cff_demuxer_origin(counter->demuxer, counter->stream_index);
  return av_rescale_q(av_sat_sub64(time, origin), stream_of(counter)->time_base, (AVRational){1, counter->rate}) + counter->link_shift;
}

/// Samples before time 0 are whole packets, or those that are dropped: their number is known, even if a container rounded the first packet's time.
static int64_t first_position(const cff_counter *counter, int64_t position, int64_t skipped, int64_t count) {
  if (position >= 0) return position;
  if (skipped > 0 && FFABS(position + skipped) <= tick(counter)) return -skipped;
  int64_t whole = (position - count / 2) / count * count;
  return FFABS(whole - position) <= tick(counter) ? whole : position;
}

/// Whether the index of an AVI counts samples, so that they are late only where packets are missing.
static bool counts_samples_in_index(const cff_counter *counter) {
  AVStream *stream = stream_of(counter);
  return counter->demuxer->traits.numbers_packets && has_ticks_of_samples(stream, counter->rate) && cff_indexed_bytes_of_tick(stream) > 0;
}

/// Whether a packet's time differs from the end of the samples before it by no more than recorders' clocks do. Those that put together
/// long packets state when they were written: late by up to a packet, or early by several. Times in ticks of samples in movies waver by
/// less: a missing packet is a gap.
static bool is_wavering(const cff_counter *counter, int64_t difference, int64_t count) {
  // FFmpeg's program streams skip the time of a packet of uncompressed audio, which may have 21 ms.
  bool is_dvd = stream_of(counter)->codecpar->codec_id == AV_CODEC_ID_PCM_DVD;
  int64_t usual = counter->rate / (is_dvd ? long_per_second : gaps_per_second);
  if (counts_samples_in_index(counter)) usual = counter->rate / losses_per_second;
  if (is_one_of(counter->demuxer->sample_times.wide, stream_of(counter))) return cff_wavers_widely(counter, difference, count);
  if (counter->is_table_of_samples) return FFABS(difference) <= cff_waver_limit(counter, count);
  if (count < counter->rate / long_per_second) return FFABS(difference) <= usual;
  return difference < 0 ? -difference <= FFMIN(4 * count, counter->rate / 4) : difference <= count - counter->rate / 1000;
}

/// Whether a packet is the first one after a restart of a transport or program stream's clock.
static bool begins_section(cff_counter *counter, const AVPacket *packet) {
  cff_demuxer *demuxer = counter->demuxer;
  if (demuxer->section_count < 2) return false;
  int before = counter->section;
  counter->section = section_index(demuxer->sections, demuxer->section_count, cff_place_of(demuxer, packet));
  return counter->section != before;
}

/// Samples follow each other, unless the packets have a gap that rounding cannot explain.
static int64_t position_of(cff_counter *counter, const AVPacket *packet, int64_t skipped, int64_t count, bool follows) {
  int64_t time = cff_packet_time(packet), missing = counter->is_known ? cff_counter_missing_before(counter, packet) : 0;
  if (missing > 0) {
    cff_counter_keep_gap(counter, missing);
    counter->missing_at = counter->next;
    counter->missing_samples = missing;
    counter->link_shift += missing;
    return counter->next + missing;
  }
  if (time == AV_NOPTS_VALUE || (counter->ignores_times && counter->is_known)) return counter->is_known ? counter->next : 0;
  bool is_joint = begins_section(counter, packet);
  int64_t position = cff_counter_position(counter, time);
  if (!counter->is_known) position = first_position(counter, position, skipped, count);
  if (cff_begins_link(counter, position)) return cff_begin_link(counter, packet, position, skipped, count);
  if (!counter->is_known) return position;
  int64_t difference = position - counter->next;
  // Times within a PES packet are counted at the original rate of the track.
  // Where pages are missing, those after them say when their packets are heard.
  if (difference > 0 && cff_page_gap_before(counter->demuxer, packet)) {
    cff_counter_keep_gap(counter, difference);
    return position;
  }
  bool is_miscounted = counter->has_other_rate && !is_joint && FFABS(difference) <= counter->rate / steps_of_other_rate;
  if (is_miscounted) return counter->next;
  if (follows || (!counter->is_exact && is_wavering(counter, difference, count))) {
    if (FFABS(difference) > FFABS(counter->wander)) counter->wander = difference;
    return counter->next;
  }
  // Parts of an edit list may overlap by what their first packets drop.
  bool is_gap = counter->is_exact ? difference > FFMAX(few_samples, count / few_samples) : true;
  // Where a stream's clock restarts, the parts overlap by what their encoders added, or leave it out; that they were joined is said.
  if (is_gap && !is_joint) cff_counter_keep_gap(counter, difference);
  counter->jumps++;
  return position;
}

static void keep_mark(cff_counter *counter, const AVPacket *packet, int64_t position, int64_t count, bool continues) {
  // Decoding can't start within a block.
  if (continues) return;
  int64_t last = counter->mark_count > 0 ? counter->marks[counter->mark_count - 1].position : INT64_MIN / 2;
  if (!counter->keeps_marks || packet->pts == AV_NOPTS_VALUE || position - last < counter->rate / marks_per_second) return;
  if (counter->mark_count == counter->mark_capacity) {
    int capacity = FFMAX(64, counter->mark_capacity * 2);
    cff_audio_mark *marks = av_realloc_array(counter->marks, (size_t)capacity, sizeof *marks);
    // Without a mark, decoding starts at an earlier one.
    if (!marks) return;
    counter->marks = marks;
    counter->mark_capacity = capacity;
  }
  counter->marks[counter->mark_count++] = (cff_audio_mark){position, position + count, packet->pts, packet->pos, packet->size};
}

static void watch_channels(cff_counter *counter, const AVPacket *packet, int64_t position) {
  int channels = cff_packet_channels(stream_of(counter)->codecpar, packet);
  if (channels == 0 || channels == counter->channels) return;
  if (counter->channels == 0) {
    counter->channels = channels;
    return;
  }
  if (counter->other_channels == 0) counter->other_position = position;
  counter->other_channels = FFMAX(counter->other_channels, channels);
}

/// Whether a packet of MP3 has no frame. libavformat makes packets of tags and zeros after the last one, and counts what the encoder of a file states that was
/// appended as a frame.
static bool has_no_frame(cff_counter *counter, const AVPacket *packet) {
  bool may_be_tag = stream_of(counter)->codecpar->codec_id == AV_CODEC_ID_MP3 && counter->demuxer->traits.has_tags;
  int offset = may_be_tag ? cff_mp3_frame_offset(packet) : 0;
  bool is_statement = may_be_tag && offset >= 0 && cff_is_mp3_statement(packet->data + offset, packet->size - offset);
  if (is_statement && counter->is_known) counter->link_shift -= FFMAX(stream_of(counter)->codecpar->frame_size, 0);
  return offset < 0 || is_statement;
}

/// Takes a packet that an edit list leaves out, whose position is unknown. The samples of a packet of Vorbis depend on the one before, whether that is heard or not.
static int64_t take_hidden(cff_counter *counter, const AVPacket *packet) {
  counter->has_priming = counter->has_priming || counter->packets == 0;
  if (counter->packets == 0 && cff_begins_silently(counter)) {
    parsed_count(counter, packet);
    counter->link_packets++;
  }
  return AV_NOPTS_VALUE;
}

/// Extends the samples that are heard by those of a packet that are neither priming nor discarded.
static void extend_by_heard(cff_counter *counter, int64_t position, int64_t count, int64_t discarded, bool is_silent) {
  int64_t dropped = FFMIN(counter->skipped, count);
  counter->skipped -= dropped;
  int64_t start = position + dropped, end = position + count - FFMIN(discarded, count - dropped);
  if (!is_silent && start < end) cff_counter_extend(counter, start, end);
}

int64_t cff_counter_take(cff_counter *counter, const AVPacket *packet) {
  // Some writers end a stream with an empty packet.
  if (counter->has_failed || packet->size == 0) return AV_NOPTS_VALUE;
  if (packet->flags & AV_PKT_FLAG_DISCARD) return take_hidden(counter, packet);
  if (cff_is_header(counter, packet)) {
    begin_parsing(counter);
    return AV_NOPTS_VALUE;
  }
  counter->is_foreign = has_no_frame(counter, packet);
  if (counter->is_foreign) return AV_NOPTS_VALUE;
  bool continues = counter->rest > 0;
  int64_t count = sample_count(counter, packet), skipped, discarded;
  if (count <= 0) {
    counter->has_failed = true;
    return AV_NOPTS_VALUE;
  }
  read_skips(counter, packet, &skipped, &discarded);
  discarded = FFMAX(discarded - counter->phantom, 0);
  // The place of a mark is known.
  bool follows = cff_flac_follows(&counter->flac, stream_of(counter)->codecpar->codec_id, packet, count);
  follows = (follows && counter->demuxer->traits.may_misplace_flac) || counter->marked_end != AV_NOPTS_VALUE;
  int64_t position = position_of(counter, packet, skipped, count, follows);
  if (counter->marked_end != AV_NOPTS_VALUE) count = counter->marked_end - position;
  counter->marked_end = AV_NOPTS_VALUE;
  watch_channels(counter, packet, position);
  keep_mark(counter, packet, position, count, continues);
  bool is_silent = counter->link_packets++ == 0 && cff_begins_silently(counter);
  cff_counter_begin_earlier(counter, packet, position + (is_silent ? count : skipped));
  if (counter->is_exact) cff_waver_take(counter, position, count);
  counter->next = position + count;
  counter->is_known = true;
  counter->last_byte_position = packet->pos;
  counter->largest = FFMAX(counter->largest, count);
  counter->packets++;
  counter->samples += counter->last = count;
  counter->skipped += skipped;
  counter->has_priming = counter->has_priming || skipped > 0;
  extend_by_heard(counter, position, count, discarded, is_silent);
  return position;
}

void cff_counter_continue(cff_counter *counter, const cff_audio_mark *mark, bool is_by_place) {
  counter->next = mark->position;
  counter->marked_end = mark->end;
  counter->ignores_times = is_by_place || ignores_times(counter->demuxer, stream_of(counter));
  counter->flac = (cff_flac_number){0};
  counter->is_known = true;
  counter->packets = FFMAX(counter->packets, 1);
  counter->link_packets = counter->packets;
  counter->skipped = 0;
}

bool cff_counter_is_trustworthy(const cff_counter *counter) {
  return counter->has_samples && !counter->has_failed && counter->jumps <= 2 + counter->packets / gaps_per_second;
}
