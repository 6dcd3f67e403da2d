#pragma once
// The lines of a dictionary file, so that libhyphen can be given those alone that a few words need: it takes seconds for all lines of a
// large dictionary, such as the German one.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A line of the file.
typedef struct chy_line {
  /// Where its letters are among those of all lines, without digits.
  uint32_t letters;
  /// The number of its letters, in bytes.
  uint8_t letter_count;
  /// Whether its spelling changes at a hyphen (`f1f/ff=f`).
  bool is_replacing;
  /// Where it is in the file, with the end of line.
  uint32_t start, length;
} chy_line;

/// All lines of a file.
typedef struct chy_lines {
  char *text;
  size_t size;
  chy_line *lines;
  size_t count, capacity;
  char *letters;
  /// For each level of patterns, the lines with letters, sorted by these and then by their order in the file.
  uint32_t *sorted[2];
  size_t sorted_count[2];
  /// The lines that every selection contains: the character set and keywords.
  uint32_t *kept;
  size_t kept_count;
  /// Whether libhyphen reads it line by line as this does, so that selections are possible.
  bool is_selectable;
} chy_lines;

/// Reads a file; false if memory runs out or it cannot be read. Free it in either case.
bool chy_lines_read(chy_lines *lines, FILE *file);

void chy_lines_free(chy_lines *lines);

/// Lines that are needed for some words.
typedef struct chy_selection {
  const chy_lines *all;
  /// Whether a line is selected.
  bool *is_selected;
  /// Whether memory ran out, or the spelling of a word may change, so that all lines are needed.
  bool needs_all;
} chy_selection;

/// A selection without words; `needs_all` if memory runs out.
chy_selection chy_selection_make(const chy_lines *lines);

/// Adds the lines that libhyphen visits for a word, in the file's character set.
void chy_selection_add(chy_selection *selection, const char *word, size_t length);

/// The text of the selected lines in their order. Must be freed by free(); NULL if memory runs out.
char *chy_selection_text(const chy_selection *selection, size_t *length);

void chy_selection_free(chy_selection *selection);
