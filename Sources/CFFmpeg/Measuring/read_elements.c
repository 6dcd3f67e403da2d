// Whether a Matroska or WebM file has all the elements that it announces (RFC 8794, RFC 9559).
#include "Measuring/stated_ends.h"

#include <unistd.h>

enum {
  id_of_segment = 0x18538067,
  id_of_cluster = 0x1F43B675,
  id_of_simple_block = 0xA3,
  id_of_block_group = 0xA0,
  /// Elements of one parent that are looked at: those of a recording of days.
  most_elements = 1 << 20,
};

/// An element's ID and the positions of its first byte, its contents, and the first byte after it; `end` is -1 if its size is unknown.
typedef struct element {
  uint32_t id;
  int64_t start, contents, end;
} element;

static bool read_element(int descriptor, int64_t position, element *found) {
  uint8_t head[12];
  ssize_t count = pread(descriptor, head, sizeof head, position);
  if (count < 2 || head[0] < 0x10) return false;
  int id_length = __builtin_clz(head[0]) - 23;
  if (count <= id_length || !head[id_length]) return false;
  int length = __builtin_clz(head[id_length]) - 23;
  if (count < id_length + length) return false;
  *found = (element){.start = position, .contents = position + id_length + length};
  for (int i = 0; i < id_length; i++) found->id = found->id << 8 | head[i];
  int64_t size = head[id_length] & ((1 << (8 - length)) - 1), unknown = ((int64_t)1 << (7 * length)) - 1;
  for (int i = 1; i < length; i++) size = size << 8 | head[id_length + i];
  found->end = size == unknown ? -1 : found->contents + size;
  return true;
}

/// Finds the element that contains all but the head of the file.
static bool find_segment(const cff_demuxer *demuxer, element *segment) {
  enum { id_of_head = 0x1A45DFA3, most_before = 16 };
  if (!read_element(demuxer->descriptor, 0, segment) || segment->id != id_of_head) return false;
  for (int i = 0; i < most_before && segment->end >= 0; i++) {
    if (!read_element(demuxer->descriptor, segment->end, segment)) return false;
    if (segment->id == id_of_segment) return true;
  }
  return false;
}

/// Finds the last of a parent's elements that has one of two IDs. Returns false if there is none, and if the elements don't fill their parent.
static bool find_last(int descriptor, const element *parent, uint32_t id, uint32_t other_id, element *last) {
  int64_t position = parent->contents;
  bool is_found = false;
  for (int i = 0; i < most_elements && position < parent->end; i++) {
    element child;
    if (!read_element(descriptor, position, &child) || child.end < 0 || child.end > parent->end) return false;
    if (child.id == id || child.id == other_id) *last = child, is_found = true;
    position = child.end;
  }
  return is_found && position == parent->end;
}

int64_t cff_declared_matroska_size(const cff_demuxer *demuxer) {
  element segment;
  return find_segment(demuxer, &segment) && segment.end >= 0 ? segment.end : 0;
}

bool cff_has_all_elements(const cff_demuxer *demuxer, int64_t last_packet) {
  element segment, cluster, block;
  if (!find_segment(demuxer, &segment) || segment.end < 0 || segment.end > demuxer->file_size) return false;
  if (!find_last(demuxer->descriptor, &segment, id_of_cluster, id_of_cluster, &cluster)) return false;
  if (!find_last(demuxer->descriptor, &cluster, id_of_simple_block, id_of_block_group, &block)) return false;
  return last_packet >= block.start && last_packet < block.end;
}
