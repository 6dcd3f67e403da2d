#define _GNU_SOURCE
#include "CPluginSupervisor.h"
#include "writer.h"

#include <stdio.h>
#include <string.h>

// The maximum size of the messages shown for a plugin, in bytes.
enum { MOST_SHOWN = 64 << 10 };

// Whether a character moves the cursor, changes the terminal's state or the text direction, ends a line, or is invisible.
static bool is_control(uint32_t character) {
  static const uint32_t ranges[][2] = {
    {0, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0e}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
    {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (character >= ranges[i][0] && character <= ranges[i][1]) return true;
  return false;
}

// Decodes the character at `text`, of which `count` bytes exist; returns its length, or 0 if it is invalid.
static size_t decode(const unsigned char *text, size_t count, uint32_t *character) {
  const unsigned char first = text[0];
  const size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : (first & 0xf0) == 0xe0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length == 0 || length > count) return 0;
  uint32_t value = length == 1 ? first : first & (0x7f >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    value = value << 6 | (text[i] & 0x3f);
  }
  *character = value;
  return length;
}

// Copies a string, with a question mark for every character that must not be displayed, and a space for every tab. Returns the length.
static size_t cleaned(const char *text, size_t count, char *result) {
  size_t length = 0;
  for (size_t position = 0; position < count;) {
    uint32_t character = 0;
    const size_t size = decode((const unsigned char *)text + position, count - position, &character);
    if (text[position] == '\t') result[length++] = ' ';
    else if (size == 0 || is_control(character)) result[length++] = '?';
    else {
      memcpy(result + length, text + position, size);
      length += size;
    }
    position += size ? size : 1;
  }
  return length;
}

static void show(struct wall_messages *messages, int output) {
  char text[sizeof messages->prefix + sizeof messages->line + 2];
  const size_t prefix = strlen(messages->prefix);
  memcpy(text, messages->prefix, prefix);
  size_t length = prefix + cleaned(messages->line, messages->length, text + prefix);
  text[length++] = '\n';
  messages->length = 0;
  // Supervisors of other workers write at the same time. Once there is too much, the sum doesn't grow, so that it cannot overflow.
  uint32_t shown = __atomic_load_n(&messages->shown->byte_count, __ATOMIC_RELAXED);
  while (shown + length <= MOST_SHOWN) {
    if (!__atomic_compare_exchange_n(
            &messages->shown->byte_count, &shown, shown + (uint32_t)length, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      continue;
    wall_writer_put(output, text, length);
    return;
  }
  if (__atomic_exchange_n(&messages->shown->is_cut, 1, __ATOMIC_RELAXED) == 0) {
    length = prefix + (size_t)snprintf(text + prefix, 64, "(more than %d KiB; the rest is not shown)\n", MOST_SHOWN >> 10);
    wall_writer_put(output, text, length);
  }
}

void wall_messages_start(struct wall_messages *messages, const char *name, struct wall_shown *total) {
  *messages = (struct wall_messages){.shown = total};
  char shown[64];
  const size_t length = cleaned(name, strnlen(name, sizeof shown - 1), shown);
  snprintf(messages->prefix, sizeof messages->prefix, "compositor: plugin %.*s: ", (int)length, shown);
}

void wall_messages_take(struct wall_messages *messages, const char *bytes, size_t count, bool is_end, int output) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n') {
      if (messages->length > 0) show(messages, output);
      continue;
    }
    messages->line[messages->length++] = bytes[i];
    if (messages->length == sizeof messages->line) show(messages, output);
  }
  if (is_end && messages->length > 0) show(messages, output);
}
