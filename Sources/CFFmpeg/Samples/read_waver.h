// Whether times that could count samples do: those of a movie of boxes may waver, as recorders write them that derive times from a clock, and programs that copy
// packets from a container whose times are milliseconds (Matroska). The audio would click if it followed them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct cff_counter;
struct cff_demuxer;

/// How the times of a stream agree with the samples of its packets so far, if times could count samples.
typedef struct cff_waver {
  /// The end of the samples so far if they follow one another; meaningless before a packet was taken.
  int64_t next;
  /// Times that are a little before or after the end of the packet before, and times that samples can't follow at all.
  int64_t small_steps, jumps;
  /// The same as `next` and `jumps` if times may waver widely.
  int64_t wide_next, wide_jumps;
  /// Samples of each packet; 0 if they differ, or before there is one.
  int64_t size;
} cff_waver;

/// The most samples by which a time may differ from the samples that follow one another, in a movie of boxes whose times waver: half a packet, so that a missing
/// one is a gap, but no less than 5 ms, since programs that put several packets in a block of Matroska round each to milliseconds; and no more than 20 ms.
int64_t cff_waver_limit(const struct cff_counter *counter, int64_t count);

/// Whether times of which many differ from the samples by more than the limit only waver if one differs by `difference` samples: it may be late by 20 ms, or early
/// by up to four packets, which recorders hand over at one time.
bool cff_wavers_widely(const struct cff_counter *counter, int64_t difference, int64_t count);

/// Compares the time of a packet with the samples before it. Times before the counter's own.
void cff_waver_take(struct cff_counter *counter, int64_t position, int64_t count);

/// Finds the streams whose times waver, or can't be right, of those that were counted so far. Returns whether any was not known before.
bool cff_find_sample_times(struct cff_demuxer *demuxer);

/// Whether an end that is `difference` samples before that of the packets is but a time that wavers: all samples of the packets are audio.
bool cff_end_wavers(const struct cff_counter *counter, int64_t difference);
