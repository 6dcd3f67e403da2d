// Definitions that the parts of the shim share and Swift doesn't see.
#pragma once
#include "common.h"
#include "Reading/read_traits.h"
#include "Times/read_edits.h"
#include "read_sizes.h"
#include <libavformat/avformat.h>
#include <libavutil/pixfmt.h>

/// Color tags of the container or the bitstream, as libav enumerations (which are H.273 code points).
typedef struct cff_tags {
  enum AVColorPrimaries primaries;
  enum AVColorTransferCharacteristic transfer;
  enum AVColorSpace matrix;
  enum AVColorRange range;
  enum AVChromaLocation location;
} cff_tags;

/// Delay of the times of Opus tracks and of all others, in microseconds, if a writer subtracted Opus's delay twice.
typedef struct cff_opus_shift {
  int64_t opus, others;
} cff_opus_shift;

/// What iTunes' tag or CAF's packet table states of the only audio stream of a file: number of samples before the first audible one, of audible ones, and of those
/// after them. The counts are 0 without them, and in files whose edit list says the same.
typedef struct cff_gapless {
  int stream_index;
  int64_t priming, samples, padding;
} cff_gapless;

enum { CFF_MOST_PATCHES = 4 };

/// Bytes of a file that the demuxer sees instead of its own: a size in a header.
typedef struct cff_patch {
  int64_t position;
  int count;
  uint8_t bytes[8];
} cff_patch;

/// The number of streams of a program stream whose missing decoding times are filled in.
enum { cff_timed_streams = 16 };

struct cff_demuxer {
  /// NULL only after a failed rewind.
  AVFormatContext *format;
  /// What the container does unlike others; nothing while it is closed.
  cff_container_traits traits;
  /// The file's name without its folder.
  char *name;
  int descriptor;
  int64_t file_size;
  /// Where the file ends for the container: its size, unless bytes follow that belong to nothing.
  int64_t visible_size;
  /// Where the file begins for the container: at its start, unless a frame precedes the first one that is not whole.
  int64_t media_start;
  /// The file's identity when it was opened.
  cff_file_identity identity;
  bool forbids_change, has_changed;
  /// Corrected sizes of the header, and what it states; see read_sizes.c.
  cff_patch patches[CFF_MOST_PATCHES];
  int patch_count;
  cff_stated_size stated_size;
  /// Whether streams are described by the header alone, and packets are not parsed.
  bool reads_header_only;
  int64_t position;
  /// The operating system's last read error since the container was opened, as a libav error; 0 if there was none. Demuxers may mistake such an error for the
  /// end of the file.
  int read_error;
  /// Whether the file is the bitstream of one video alone, without times: its frames follow one another at `frame_rate`.
  bool counts_frames;
  AVRational frame_rate;
  /// Earliest start of a stream, in `origin_tick`s.
  int64_t origin;
  AVRational origin_tick;
  cff_opus_shift opus_shift;
  cff_gapless gapless;
  cff_moved_packets moved_packets;
  /// The stream of an MP3 whose header, by libavformat, states no delay, so that all samples are audible; -1 in all other files. libavformat drops a decoder's delay
  /// there, but such headers are written when packets are copied, which begin anywhere in a recording.
  int undelayed_stream;
  /// The container's color tags of each stream, before any bitstream was examined.
  cff_tags *container_tags;
  int container_tags_count;
  /// Timestamps of each stream's packets, as far as `cff_demuxer_measure` read them; NULL before. A rewind keeps them.
  struct cff_stamps *stamps;
  int stamps_count;
  /// Bit n is set if the presentation times of stream n are its decoding times although its frames are reordered, as if a bitstream without times was copied into
  /// a container.
  uint64_t decoding_times;
  /// What the times of audio streams are worth.
  cff_sample_times sample_times;
  /// The decoding time of the next packet of each of the first streams of a program stream, by the previous one's; AV_NOPTS_VALUE if it is not known.
  int64_t next_decoding[cff_timed_streams];
  /// The sizes of each video stream's frames; see read_frame_sizes.c. A rewind keeps them.
  struct cff_size_account *size_accounts;
  int size_accounts_count;
  /// The samples of each audio stream, as far as `cff_demuxer_measure` counted them; NULL before. A rewind keeps them.
  struct cff_counter *counters;
  int counters_count;
  /// Counts the samples of packets that are read to be copied; NULL unless they are counted.
  struct cff_packet_counter *packet_counter;
  /// Restarts of a transport or program stream's clock; see read_sections.c.
  cff_clock_section *sections;
  int section_count;
  /// Whether timestamps do not rise through the whole file, so that libav's search by time fails.
  bool has_restarts;
  /// Gaps of a file of pages; see read_pages.c. A rewind keeps them.
  struct cff_known_page_gap *page_gaps;
  int page_gap_count;
  /// Frames that are missing in an MP3. A rewind keeps them.
  cff_frame_gap frame_gap;
  /// Position of the last packet of each stream that stated one; later packets of the same PES packet don't.
  int64_t *packet_positions;
  int packet_positions_count;
};

/// The header's description of each stream, before its beginning is decoded; NULL for files that are not cached. Freed by `cff_remember_streams` or
/// `cff_free_declared`.
AVCodecParameters **cff_declared_streams(const cff_demuxer *demuxer);
void cff_free_declared(AVCodecParameters ***declared, int count);

/// Restores the facts about the streams from an earlier opening of the same file; false if there are none. Can be called on any thread.
bool cff_recall_streams(cff_demuxer *demuxer);

/// Caches the facts about a file's streams for the most recently opened files. Takes ownership of what `declared` points to. Can be called on any thread.
void cff_remember_streams(const cff_demuxer *demuxer, AVCodecParameters ***declared);

/// Timestamps of one video stream in the order of its packets, in its time base.
typedef struct cff_stamps {
  /// Times of showing and of decoding.
  int64_t *times, *decoding;
  int count, capacity;
  /// The latest time so far; INT64_MIN after a jump.
  int64_t newest;
  /// Index of the first key frame. libavformat makes up the times of packets before it.
  int first_key;
  bool has_key;
  cff_overlap *overlaps;
  int overlaps_count;
} cff_stamps;

/// Adds a packet's times. If they cannot be stored, the rate is measured from the previous ones.
void cff_keep_stamp(cff_stamps *stamps, int64_t time, int64_t decoding, bool is_key);

/// Replaces times of showing, some of which are missing, by those of decoding, if all are known. Frames are shown when others are decoded: the first one when as
/// many are decoded as are held back, and the last ones after the last was, which ends at `end` and has a `duration`.
void cff_show_held(cff_stamps *stamps, int held, int64_t end, int64_t duration);

/// The same, if `delay` is how long after its decoding the first key frame is shown.
void cff_show_decoded(cff_stamps *stamps, int64_t delay, int64_t end, int64_t duration);

/// Discards the measured timestamps.
void cff_stamps_free(cff_demuxer *demuxer);

/// Discards the counted samples.
void cff_counters_free(cff_demuxer *demuxer);
/// Ends counting the samples of packets that are read to be copied.
void cff_stop_counting_packets(cff_demuxer *demuxer);

/// Opens a demuxer's regular file. Addresses, devices and pipes are refused.
cff_status cff_open_regular_file(cff_demuxer *demuxer, const char *path, cff_failure *failure);
/// Finds sizes in the header of uncompressed audio that are open or wrong although the samples are complete, and corrects what the demuxer reads.
void cff_mend_sizes(cff_demuxer *demuxer);
/// Corrects bytes that were read from a position.
void cff_apply_patches(const cff_demuxer *demuxer, int64_t position, uint8_t *buffer, int64_t count);
/// Where the first whole frame of a file begins that may begin within another; 0 for other files, and if there is none.
int64_t cff_first_frame(const cff_demuxer *demuxer);
/// Creates the context of a container that reads the demuxer's file and no other.
cff_status cff_allocate_format(cff_demuxer *demuxer, cff_failure *failure);
/// Opens the container as `demuxer->format` without its edit lists: times are those of the media. To be closed with `cff_close_format` in either case.
bool cff_open_media(cff_demuxer *demuxer);
/// Closes the container, if it is open.
void cff_close_format(cff_demuxer *demuxer);

/// The time of a frame in a bitstream without times, after a number of fields.
int64_t cff_counted_time(const cff_demuxer *demuxer, int64_t field_count);

/// The frame rate that the first sequence header of a bitstream of MPEG-1 or MPEG-2 states; 0 over 1 if there is none.
AVRational cff_sequence_rate(const cff_demuxer *demuxer);

/// Whether a packet of MPEG-1 or MPEG-2 has a frame that no other refers to, which is shown when it is decoded.
bool cff_is_bidirectional(const AVPacket *packet);

/// Gives a packet of a program stream that states no time the decoding time that follows from the previous one. A PES packet states times for the first frame
/// that begins in it, and small frames share one (ISO/IEC 13818-1, 2.4.3.7).
void cff_fill_decoding_time(cff_demuxer *demuxer, AVPacket *packet);
/// Forgets the previous packets' times, as after a jump.
void cff_forget_decoding_times(cff_demuxer *demuxer);

/// Gives a packet after missing pages of an Ogg file the time that its page states, and drops the padding of the last one. Returns a libav error.
int cff_place_after_gap(cff_demuxer *demuxer, AVPacket *packet);
/// Forgets the packets so far, at the start of the file or after a jump.
void cff_forget_gap_packets(cff_demuxer *demuxer, bool is_start);
/// The gap that ends with a packet; NULL if there is none.
const cff_page_gap *cff_page_gap_before(const cff_demuxer *demuxer, const AVPacket *packet);
/// The gap at the end of a stream; NULL if there is none.
const cff_page_gap *cff_page_gap_at_end(const cff_demuxer *demuxer, int stream_index);
/// Whether an audio stream lacks its beginning, which is at time 0.
bool cff_lacks_first_pages(const cff_demuxer *demuxer);
void cff_page_gaps_free(cff_demuxer *demuxer);

/// Determines the delay of Opus tracks, or of all others, in Matroska files by older versions of libavformat.
void cff_find_opus_shift(cff_demuxer *demuxer);

/// Reads iTunes' tag about an encoder's delay and padding, iTunSMPB.
void cff_find_gapless(cff_demuxer *demuxer);

/// Keeps libav from printing. Call it before using anything of libav.
void cff_prepare(void);

/// Reads the next packet like av_read_frame, with timestamps on the file's single rising clock.
int cff_read_packet(cff_demuxer *demuxer, AVPacket *packet);

/// Seeks to a key packet at or before a stream time like av_seek_frame. It may be a later one.
int cff_seek_packet(cff_demuxer *demuxer, int stream_index, int64_t time);

/// Prepares reading packets of a newly opened container: sections, and the origin on their clock.
cff_status cff_start_sections(cff_demuxer *demuxer, cff_failure *failure);
/// Frees what belongs to the open container; sections stay.
void cff_stop_sections(cff_demuxer *demuxer);

/// The meaning of a libav error while a file is parsed: lengths that exceed any memory are damage.
cff_status cff_fail_parsing(cff_failure *failure, int error, const char *what);
/// Whether a libav error while a file is parsed is a real lack of memory.
bool cff_is_out_of_memory(int error);

/// Fills `failure` and returns `status`.
cff_status cff_fail(cff_failure *failure, cff_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Fills `failure` from a libav error number; `fallback` is the status if the number implies no better one.
cff_status cff_fail_av(cff_failure *failure, int error, cff_status fallback, const char *what);

/// Fills `failure` with the demuxer's `read_error`.
cff_status cff_fail_read(const cff_demuxer *demuxer, cff_failure *failure);

/// Whether a stream is an image that accompanies the movie: cover art, or the still item of an image sequence.
bool cff_stream_is_cover(const cff_demuxer *demuxer, const AVStream *stream);

/// A stream's side data of a type, which depends on the libav version; NULL if there is none.
const uint8_t *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);
