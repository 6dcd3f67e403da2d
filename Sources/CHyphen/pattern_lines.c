#include "pattern_lines.h"

#include <hyphen.h>
#include <stdlib.h>
#include <string.h>

/* The longest line that libhyphen reads as one, with its end. */
enum { longest_line = MAX_CHARS - 1, longest_name = MAX_NAME - 1, levels = 2 };

static bool read_all(chy_lines *lines, FILE *file) {
  size_t capacity = 1 << 16;
  lines->text = malloc(capacity);
  while (lines->text != NULL) {
    lines->size += fread(lines->text + lines->size, 1, capacity - lines->size, file);
    if (lines->size < capacity) return !ferror(file);
    if (capacity > UINT32_MAX / 4) return false;
    capacity *= 2;
    char *grown = realloc(lines->text, capacity);
    if (grown == NULL) return false;
    lines->text = grown;
  }
  return false;
}

static bool begins(const char *line, size_t length, const char *word) {
  return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

static bool is_keyword(const char *line, size_t length) {
  static const char *const words[] = {
      "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUNDLEFTHYPHENMIN", "COMPOUNDRIGHTHYPHENMIN", "NOHYPHEN", "NEXTLEVEL"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (begins(line, length, words[i])) return true;
  }
  return false;
}

/* Copies the letters of a pattern, as libhyphen finds them, and returns their number. */
static size_t copy_letters(char *target, const char *line, size_t length, bool *is_replacing) {
  const char *slash = memchr(line, '/', length);
  *is_replacing = slash != NULL;
  const size_t end = slash == NULL ? length : (size_t)(slash - line);
  size_t count = 0;
  for (size_t i = 0; i < end && (unsigned char)line[i] > ' '; i++) {
    if (line[i] < '0' || line[i] > '9') target[count++] = line[i];
  }
  return count;
}

static bool add_line(chy_lines *lines, chy_line line) {
  if (lines->count == lines->capacity) {
    const size_t capacity = lines->capacity == 0 ? 1024 : lines->capacity * 2;
    chy_line *grown = realloc(lines->lines, capacity * sizeof *grown);
    if (grown == NULL) return false;
    lines->lines = grown;
    lines->capacity = capacity;
  }
  lines->lines[lines->count++] = line;
  return true;
}

/* The lines that are compared, for qsort, which passes nothing along. */
static _Thread_local const chy_lines *compared;

static int compare(const void *left, const void *right) {
  const uint32_t first = *(const uint32_t *)left, second = *(const uint32_t *)right;
  const chy_line *a = &compared->lines[first], *b = &compared->lines[second];
  const size_t common = a->letter_count < b->letter_count ? a->letter_count : b->letter_count;
  const int order = memcmp(compared->letters + a->letters, compared->letters + b->letters, common);
  if (order != 0) return order;
  if (a->letter_count != b->letter_count) return a->letter_count < b->letter_count ? -1 : 1;
  return first < second ? -1 : 1;
}

/* Sorts the lines into those that are always kept and those of each level. */
static bool sort(chy_lines *lines) {
  lines->kept = malloc((lines->count + 1) * sizeof *lines->kept);
  for (int level = 0; level < levels; level++) lines->sorted[level] = malloc((lines->count + 1) * sizeof **lines->sorted);
  if (lines->kept == NULL || lines->sorted[0] == NULL || lines->sorted[1] == NULL) return false;
  int level = 0;
  for (uint32_t i = 0; i < lines->count; i++) {
    const chy_line *line = &lines->lines[i];
    if (i > 0 && line->letter_count > 0) {
      lines->sorted[level][lines->sorted_count[level]++] = i;
      continue;
    }
    lines->kept[lines->kept_count++] = i;
    if (i > 0 && begins(lines->text + line->start, line->length, "NEXTLEVEL")) level = 1;
  }
  compared = lines;
  for (level = 0; level < levels; level++) {
    qsort(lines->sorted[level], lines->sorted_count[level], sizeof **lines->sorted, compare);
  }
  return true;
}

bool chy_lines_read(chy_lines *lines, FILE *file) {
  *lines = (chy_lines){.is_selectable = true};
  if (!read_all(lines, file)) return false;
  lines->letters = malloc(lines->size + 1);
  if (lines->letters == NULL) return false;
  /* An end within a line, or of the text, changes how libhyphen reads it. */
  lines->is_selectable = memchr(lines->text, 0, lines->size) == NULL;
  size_t used = 0;
  bool is_last_level = false;
  for (size_t start = 0; start < lines->size;) {
    const char *line = lines->text + start, *end = memchr(line, '\n', lines->size - start);
    const size_t length = end == NULL ? lines->size - start : (size_t)(end - line) + 1;
    const bool is_first = start == 0, is_comment = !is_first && *line == '%', is_word = !is_first && is_keyword(line, length);
    /* Longer lines are cut, in a way of each version's own, and one without an end may be. */
    if (length > (is_first ? longest_name : longest_line) - (end == NULL ? 1U : 0)) lines->is_selectable = false;
    chy_line found = {.letters = (uint32_t)used, .start = (uint32_t)start, .length = (uint32_t)length};
    start += length;
    if (is_word && begins(line, length, "NEXTLEVEL")) {
      /* What follows a third level's beginning isn't read. */
      if (is_last_level) break;
      is_last_level = true;
    }
    if (is_comment || (!is_first && (unsigned char)*line <= ' ')) continue;
    if (!is_first && !is_word && length <= longest_line) {
      found.letter_count = (uint8_t)copy_letters(lines->letters + used, line, length, &found.is_replacing);
      used += found.letter_count;
      /* Weights without letters are those of every place, until another line without letters follows. */
      if (found.letter_count == 0) lines->is_selectable = false;
    }
    if (!add_line(lines, found)) return false;
  }
  return sort(lines);
}

void chy_lines_free(chy_lines *lines) {
  free(lines->text);
  free(lines->lines);
  free(lines->letters);
  free(lines->sorted[0]);
  free(lines->sorted[1]);
  free(lines->kept);
}

chy_selection chy_selection_make(const chy_lines *lines) {
  chy_selection selection = {.all = lines, .is_selected = calloc(lines->count + 1, sizeof(bool))};
  selection.needs_all = !lines->is_selectable || selection.is_selected == NULL;
  if (selection.needs_all) return selection;
  for (size_t i = 0; i < lines->kept_count; i++) selection.is_selected[lines->kept[i]] = true;
  return selection;
}

void chy_selection_free(chy_selection *selection) { free(selection->is_selected); }

/* The sorted lines of a level that begin with the same letters. */
typedef struct range {
  size_t first, end;
} range;

/* The letter of a line at an index; -1 behind its last one. */
static int letter(const chy_lines *lines, uint32_t line, size_t index) {
  return index < lines->lines[line].letter_count ? (unsigned char)lines->letters[lines->lines[line].letters + index] : -1;
}

/* The lines of a range whose letter at an index is `wanted`. */
static range narrowed(const chy_lines *lines, int level, range within, size_t index, int wanted) {
  range found = within;
  for (int side = 0; side < 2; side++) {
    size_t low = found.first, high = within.end;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      const int other = letter(lines, lines->sorted[level][middle], index);
      if (other < wanted || (side == 1 && other == wanted)) low = middle + 1;
      else high = middle;
    }
    if (side == 0) found.first = low;
    else found.end = low;
  }
  return found;
}

static bool has_length(const chy_selection *selection, int level, size_t place, size_t length) {
  return selection->all->lines[selection->all->sorted[level][place]].letter_count == length;
}

/* Selects the pattern of all letters up to an index, the last one of several as libhyphen does, and otherwise one that begins with these:
   libhyphen applies the longest pattern or beginning of a pattern alone, so beginnings matter, too. */
static void select_line(chy_selection *selection, int level, range found, size_t index) {
  if (found.first == found.end) return;
  size_t place = found.first;
  while (place + 1 < found.end && has_length(selection, level, place + 1, index)) place++;
  const uint32_t line = selection->all->sorted[level][place];
  selection->is_selected[line] = true;
  if (selection->all->lines[line].is_replacing) selection->needs_all = true;
}

/* Adds the patterns at one place of a word, with and without its end, which may be that of a part of a compound. */
static void add_place(chy_selection *selection, int level, const char *word, size_t length, bool is_start) {
  const chy_lines *lines = selection->all;
  range found = {0, lines->sorted_count[level]};
  size_t index = 0;
  if (is_start) {
    found = narrowed(lines, level, found, index++, '.');
    select_line(selection, level, found, index);
  }
  for (size_t i = 0; found.first < found.end; i++) {
    const range last = narrowed(lines, level, found, index, '.');
    if (i > 0) select_line(selection, level, last, index + 1);
    if (i == length) return;
    found = narrowed(lines, level, found, index++, (unsigned char)word[i]);
    select_line(selection, level, found, index);
  }
}

void chy_selection_add(chy_selection *selection, const char *word, size_t length) {
  for (int level = 0; level < levels; level++) {
    for (size_t i = 0; i <= length && !selection->needs_all; i++) {
      add_place(selection, level, word + i, length - i, false);
      add_place(selection, level, word + i, length - i, true);
    }
  }
}

char *chy_selection_text(const chy_selection *selection, size_t *length) {
  const chy_lines *lines = selection->all;
  *length = 0;
  for (size_t i = 0; i < lines->count; i++) {
    if (selection->is_selected[i]) *length += lines->lines[i].length;
  }
  /* The end of the last line may be missing, which only the last one of the file may lack. */
  char *text = malloc(*length + 1), *next = text;
  for (size_t i = 0; text != NULL && i < lines->count; i++) {
    if (!selection->is_selected[i]) continue;
    memcpy(next, lines->text + lines->lines[i].start, lines->lines[i].length);
    next += lines->lines[i].length;
  }
  return text;
}
