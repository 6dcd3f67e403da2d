// What containers do unlike others. Functions ask a demuxer's traits instead of its container's name: the table in read_traits.c says which container has which.
#pragma once
#include <libavformat/avformat.h>
#include <stdbool.h>

/// Of what a file states the duration so exactly that it tells how long a last frame is shown.
typedef enum cff_stated_duration {
  /// Of something else, or of nothing.
  CFF_DURATION_UNKNOWN = 0,
  /// Of each track (ISO/IEC 14496-12, 8.4.2).
  CFF_DURATION_OF_TRACK,
  /// Of the longest track (Matroska, Duration: RFC 9559, 5.1.2.10).
  CFF_DURATION_OF_FILE,
  /// Of each frame: GIF (GIF89a, 23.c.vii), APNG (the delay of `fcTL`).
  CFF_DURATION_OF_FRAME,
} cff_stated_duration;

/// What a container does unlike others. None is set for most.
typedef struct cff_container_traits {
  // MARK: times

  /// It is the bitstream of one video without times. libavformat makes up times for some, in the order of the file.
  bool is_bitstream : 1;
  /// It is a bitstream of MPEG-1 or MPEG-2, whose headers always state the frame rate (ISO/IEC 13818-2, 6.2.2.1), and of each frame whether others refer to it,
  /// so that it is shown later (6.2.3).
  bool has_mpeg_headers : 1;
  /// Media time 0 is time 0 of its streams, even if all begin later: edit lists say when media begins (ISO/IEC 14496-12, 8.6.6), and AVI counts packets from 0.
  bool starts_at_zero : 1;
  /// Its times rise through the whole file.
  bool has_one_clock : 1;
  /// It counts time in 33 bits of 90 kHz, and may be cut and concatenated anywhere: transport and program streams (ISO/IEC 13818-1, 2.4.3.7).
  bool has_33_bit_clock : 1;
  /// Its packets of video may have no times: a PES packet of a program stream states them for the first frame that begins in it only (ISO/IEC 13818-1, 2.4.3.7), and
  /// libavformat doesn't derive the others.
  bool omits_times : 1;
  /// It numbers packets instead of stating when frames are shown: AVI.
  bool numbers_packets : 1;
  /// It may have edit lists (ISO/IEC 14496-12, 8.6.6), which libavformat applies.
  bool has_edit_lists : 1;

  // MARK: headers and indexes

  /// Its header lists all streams and, unless it is in fragments, all packets: the decoding time of each follows from the durations of those before it
  /// (ISO/IEC 14496-12, 8.6.1.2), its presentation time from an offset (8.6.1.3).
  bool has_sample_table : 1;
  /// It may have an item outside of any track that repeats the first frame: image sequences (ISO/IEC 23008-12). FFmpeg 7 and later list it as a stream.
  bool may_list_item : 1;
  /// Of what it states the duration.
  cff_stated_duration stated_duration;
  /// Its stated duration may be the greatest time instead of the duration, even if the first time is late: so does FFmpeg's muxer of Matroska.
  bool may_state_last_time : 1;
  /// It states durations in a unit that libavformat rounds down to milliseconds: ASF, in 100 ns.
  bool rounds_durations_down : 1;
  /// Its header states the duration of the file, or its number of packets or samples.
  bool promises_duration : 1;
  /// Its header states the exact number of samples of audio: FLAC (RFC 9639, 8.2), True Audio, WavPack.
  bool promises_samples : 1;

  // MARK: bytes

  /// It consists of packets of 188 bytes, which begin with 0x47 and are numbered (ISO/IEC 13818-1, 2.4.3.2), so that losses can be counted.
  bool has_transport_packets : 1;
  /// It doesn't end in zeros unless its last frame does: it has no padding. Packets of ASF and of program streams are padded, and boxes may be.
  bool has_no_padding : 1;
  /// It ends with a frame that has a checksum, which tells whether the frame is whole: FLAC (RFC 9639, 9.3).
  bool ends_with_checksum : 1;

  // MARK: audio

  /// Its times of audio count samples if they are in ticks of the sample rate.
  bool counts_samples : 1;
  /// Its times count packets of one duration, whatever their contents: CAF's description states the samples of a packet once. ALAC may fill the last packet in part,
  /// and FFmpeg writes FLAC with packets of the mean size.
  bool counts_whole_packets : 1;
  /// It has a table of packets that states the samples to drop at both ends: CAF, of which libavformat takes the packets' places only.
  bool has_packet_table : 1;
  /// It may have iTunes' tag about an encoder's delay and padding, iTunSMPB.
  bool may_have_itunes_tag : 1;
  /// Its audio is in blocks of one size. libavformat derives the times after a jump from the bytes per second that the header states.
  bool jumps_by_bytes : 1;
  /// libavformat finds its packets by searching for their headers, so that it can start at any byte, and bytes after the audio may look like a packet.
  bool is_searched_for_headers : 1;
  /// libavformat makes a packet of bytes before its first whole frame.
  bool may_begin_within_frame : 1;
  /// Tags and zeros may be between its frames and after them, of which libavformat makes packets or parts of packets.
  bool has_tags : 1;
  /// libavformat drops the delay of a decoder even if the header states no delay: MP3.
  bool drops_unstated_delay : 1;
  /// It consists of pages, whose position counts samples that are heard (RFC 3533, 6), and its streams may follow each other (4: chaining), each with times of its own.
  bool has_pages : 1;
  /// Its times of FLAC may jump although the frames are numbered without a gap: so older muxers wrote Ogg.
  bool may_misplace_flac : 1;
  /// It states the delay of Opus beside the times of packets (Matroska, CodecDelay: RFC 9559, 5.1.4.1.25). libavformat before version 59.31 put it into the times, too.
  bool states_codec_delay : 1;
} cff_container_traits;

/// The traits of a container; none if it isn't in the table.
cff_container_traits cff_traits_of(const AVInputFormat *format);

/// Adds an option to open nothing but the containers in the table. Returns a libav error.
int cff_allow_containers(AVDictionary **options);
