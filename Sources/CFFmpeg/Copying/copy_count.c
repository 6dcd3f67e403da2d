// Where the samples of packets are that are read without being decoded: as their decoder places them.
#include "Copying/copy_internal.h"
#include "Samples/read_counter.h"

/// The counter of a stream whose packets are read, and whether reading began elsewhere than at the start.
struct cff_packet_counter {
  cff_counter counter;
  int stream;
  bool is_sought;
};

static int open_counter(cff_demuxer *demuxer, int stream, cff_counter *counter) {
  int error = cff_counter_open(counter, demuxer, stream, false);
  counter->is_exact = cff_times_count_samples(demuxer, stream, counter->rate);
  return error;
}

cff_status cff_packets_count_samples(cff_demuxer *demuxer, int stream, cff_failure *failure) {
  if (stream < 0 || stream >= cff_demuxer_stream_count(demuxer)) return cff_fail(failure, CFF_NO_STREAM, "no stream %d", stream);
  cff_stop_counting_packets(demuxer);
  demuxer->packet_counter = av_mallocz(sizeof *demuxer->packet_counter);
  if (!demuxer->packet_counter) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  demuxer->packet_counter->stream = stream;
  return cff_restart_counting_packets(demuxer, false, failure);
}

cff_status cff_restart_counting_packets(cff_demuxer *demuxer, bool is_sought, cff_failure *failure) {
  struct cff_packet_counter *packets = demuxer->packet_counter;
  if (!packets) return CFF_OK;
  cff_counter_close(&packets->counter);
  packets->is_sought = is_sought;
  int error = open_counter(demuxer, packets->stream, &packets->counter);
  return error < 0 ? cff_fail_av(failure, error, CFF_NO_RESOURCE, "packets cannot be counted") : CFF_OK;
}

void cff_stop_counting_packets(cff_demuxer *demuxer) {
  if (demuxer->packet_counter) cff_counter_close(&demuxer->packet_counter->counter);
  av_freep(&demuxer->packet_counter);
}

void cff_count_packet(const cff_demuxer *demuxer, const AVPacket *packet, cff_packet *result) {
  struct cff_packet_counter *packets = demuxer->packet_counter;
  result->first_sample = CFF_NO_TIME;
  if (!packets || packets->stream != packet->stream_index) return;
  // How many samples the first packet of Vorbis adds depends on the one before.
  bool is_second = packets->counter.packets == 1 && packets->is_sought && cff_begins_silently(&packets->counter);
  if (is_second) packets->counter.is_known = false;
  int64_t position = cff_counter_take(&packets->counter, packet);
  if (position == AV_NOPTS_VALUE) return;
  result->first_sample = position;
  result->end_sample = packets->counter.next;
}
