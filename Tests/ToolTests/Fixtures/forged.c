// A compositor whose plugin changes what its process tells the host of it: in the answer that describes it, FROM becomes TO, followed by twice MARKS
// combining marks, by as many different strings in quotes as WORDS says, and by TAIL. With KIND the answer is of another kind.
// With SLOW it reads what is long, and makes each frame, as many milliseconds late.
// With TEXT_FILE it says in plain words, by the header, that the default of a file is a path of its own choice.
#define _GNU_SOURCE
#include "compositor_plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile_calls.h"

#ifndef TEXT_FILE
#define TEXT_FILE ""
#endif

#ifndef SLOW
#define SLOW 0
#endif

#ifndef MARKS
#define MARKS 0
#endif
#ifndef WORDS
#define WORDS 0
#endif
#ifndef TAIL
#define TAIL ""
#endif

#ifdef FROM
// Writes a string in quotes that takes long to compare: its last mark precedes the others in the canonical order.
static char *write_word(char *place, int number) {
  if (number > 0) *place++ = ',';
  *place++ = '"';
  for (int i = 0; i < 25; i++, place += 2) memcpy(place, "\xcc\x81", 2);
  return place + sprintf(place, "\xcc\xa7%d\"", number);
}

static char *replacement(size_t *length) {
  // An acute accent and a cedilla, whose order is not the canonical one.
  static const char marks[] = "\xcc\x81\xcc\xa7";
  const size_t start = strlen(TO), end = start + MARKS * (sizeof marks - 1);
  enum { LONGEST_WORD = 80 };
  char *text = malloc(end + (size_t)WORDS * LONGEST_WORD + strlen(TAIL) + 1);
  memcpy(text, TO, start);
  for (size_t place = start; place < end; place += sizeof marks - 1) memcpy(text + place, marks, sizeof marks - 1);
  char *next = text + end;
  for (int i = 0; i < WORDS; i++) next = write_word(next, i);
  memcpy(next, TAIL, strlen(TAIL));
  *length = (size_t)(next - text) + strlen(TAIL);
  return text;
}

// A message is a header, the length of a text and the text.
static ssize_t answer_otherwise(int socket, const struct msghdr *message, int flags) {
  const struct iovec *part = message->msg_iov;
  const size_t head = sizeof(struct forged) + sizeof(uint32_t);
  if (socket != CHANNEL || message->msg_iovlen != 1 || part->iov_len <= head) return sendmsg(socket, message, flags);
  const char *text = (const char *)part->iov_base + head;
  const char *found = memmem(text, part->iov_len - head, FROM, strlen(FROM));
  if (!found) return sendmsg(socket, message, flags);
  const size_t before = (size_t)(found - text), after = part->iov_len - head - before - strlen(FROM);
  size_t count;
  char *other = replacement(&count);
  const size_t length = before + count + after;
  char *bytes = malloc(head + length);
  memcpy(bytes, part->iov_base, head + before);
  memcpy(bytes + head + before, other, count);
  memcpy(bytes + head + before + count, found + strlen(FROM), after);
  free(other);
  ((struct forged *)bytes)->length = length + sizeof(uint32_t);
#ifdef KIND
  ((struct forged *)bytes)->kind = KIND;
#endif
  const uint32_t counted = (uint32_t)length;
  memcpy(bytes + sizeof(struct forged), &counted, sizeof counted);
  for (size_t sent = 0; sent < head + length;) {
    const ssize_t part_count = send(socket, bytes + sent, head + length - sent, MSG_NOSIGNAL);
    if (part_count > 0) sent += (size_t)part_count;
  }
  free(bytes);
  return (ssize_t)part->iov_len;
}

#endif

// Much more than what waits in a channel: until it is read, the host cannot send all of it.
enum { LONG = 500000 };

static ssize_t receive_late(int socket, struct msghdr *message, int flags) {
  // What is left of the message that is being read.
  static size_t left;
  const size_t count = message->msg_iov->iov_len;
  if (count > LONG && count != left) usleep(SLOW * 1000);
  const ssize_t result = recvmsg(socket, message, flags);
  left = result > 0 ? count - (size_t)result : left;
  return result;
}

struct call { const char *name; void *other; };

static int replace_call(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  const struct call *call = data;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      replace(info->dlpi_addr, (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), call->name, call->other);
  return 1;
}

static int32_t create(const CompositorDescription *self, const CompositorContext *context,
                      const CompositorParameter *const *parameters, int32_t count, void **instance, CompositorErrorText *error) {
  (void)self, (void)context, (void)parameters, (void)count, (void)error;
  *instance = NULL;
  return COMPOSITOR_OK;
}
static void destroy(void *instance) { (void)instance; }
static int32_t render(void *instance, const CompositorRequest *request, CompositorAnswer *answer, CompositorErrorText *error) {
  (void)instance, (void)error;
  usleep(SLOW * 1000);
  if (request->source_count == 0) return COMPOSITOR_UNSUPPORTED;
  answer->kind = COMPOSITOR_ANSWER_SOURCE;
  answer->track = request->sources[0]->track;
  return COMPOSITOR_OK;
}

static const CompositorParameter five = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_NUMBER, .number = 5};
static const CompositorParameter file = {.struct_size = sizeof(CompositorParameter), .kind = COMPOSITOR_TEXT_FILE, .string = TEXT_FILE};
static const CompositorParameterDescription level = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "level", .summary = "Some level.", .kind = COMPOSITOR_NUMBER,
  .minimum = 1, .maximum = 9, .default_value = &five};
static const CompositorParameterDescription notes = {
  .struct_size = sizeof(CompositorParameterDescription), .key = "notes", .summary = "Some text.", .kind = COMPOSITOR_TEXT_FILE,
  .maximum = 1 << 20, .default_value = &file};
static const CompositorParameterDescription *const parameters[] = {&level, &notes};
static const CompositorDescription compositor = {
  .struct_size = sizeof(CompositorDescription), .id = "org.example.forged", .name = "Plain", .version = "1.0.0",
  .summary = "Hands its source on.", .sources = COMPOSITOR_SOURCES_OUTPUT, .color = COMPOSITOR_COLOR_WIDE,
  .parameter_count = 2, .parameters = parameters, .create = create, .destroy = destroy, .render = render};
static const CompositorDescription *const compositors[] = {&compositor};
static const CompositorPlugin plugin = {
  .struct_size = sizeof(CompositorPlugin), .abi_version = COMPOSITOR_ABI_VERSION, .name = "forged",
  .version = "1.0.0", .compositor_count = 1, .compositors = compositors};

const CompositorPlugin *COMPOSITOR_PLUGIN_ENTRY(const CompositorHost *host) {
  (void)host;
#ifdef FROM
  dl_iterate_phdr(replace_call, &(struct call){"sendmsg", answer_otherwise});
#endif
  if (SLOW > 0) dl_iterate_phdr(replace_call, &(struct call){"recvmsg", receive_late});
  return &plugin;
}
