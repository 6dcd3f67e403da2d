#include "dictionary.h"

#include "pattern_lines.h"

#include <dirent.h>
#include <hyphen.h>
#include <iconv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { table_size = 128, code_size = 4 };

struct chy_dictionary {
  chy_lines lines;
  uint64_t checksum;
  char character_set[MAX_NAME];
  bool is_utf8;
  /* Of a dictionary with an 8-bit character set: the code points of its upper half; 0 for none. */
  uint32_t upper[table_size];
  /* All patterns, once they are needed; NULL before. */
  HyphenDict *all;
  pthread_mutex_t lock;
};

struct chy_patterns {
  HyphenDict *patterns;
  /* Whether they are those of the dictionary, which keeps them. */
  bool is_shared;
};

/* Names of character sets that dictionaries have of their own. */
static const char *standard_name(const char *name) {
  return strcmp(name, "microsoft-cp1251") == 0 ? "CP1251" : name;
}

static bool read_character_set(chy_dictionary *dictionary) {
  const char *text = dictionary->lines.text;
  for (size_t i = 0; i + 1 < MAX_NAME && i < dictionary->lines.size && text[i] != '\r' && text[i] != '\n'; i++) {
    dictionary->character_set[i] = text[i];
  }
  dictionary->is_utf8 = strcmp(dictionary->character_set, "UTF-8") == 0;
  if (dictionary->is_utf8) return true;
  if (dictionary->character_set[0] == 0) return false;
  const iconv_t converter = iconv_open("UCS-4LE", standard_name(dictionary->character_set));
  if (converter == (iconv_t)-1) return false;
  for (int i = 0; i < table_size; i++) {
    char byte = (char)(i + table_size), *source = &byte;
    unsigned char code[code_size] = {0};
    char *target = (char *)code;
    size_t left = 1, room = code_size;
    iconv(converter, NULL, NULL, NULL, NULL);
    const bool is_known = iconv(converter, &source, &left, &target, &room) != (size_t)-1 && room == 0;
    if (is_known) dictionary->upper[i] = (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16;
  }
  iconv_close(converter);
  return true;
}

static uint64_t checksum(const char *text, size_t size) {
  uint64_t sum = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; i++) sum = (sum ^ (unsigned char)text[i]) * 0x100000001b3;
  return sum;
}

chy_dictionary *chy_dictionary_open(const char *path) {
  FILE *file = fopen(path, "rbe");
  if (file == NULL) return NULL;
  chy_dictionary *dictionary = calloc(1, sizeof *dictionary);
  if (dictionary != NULL) pthread_mutex_init(&dictionary->lock, NULL);
  const bool is_read = dictionary != NULL && chy_lines_read(&dictionary->lines, file) && read_character_set(dictionary);
  fclose(file);
  if (!is_read) {
    chy_dictionary_close(dictionary);
    return NULL;
  }
  dictionary->checksum = checksum(dictionary->lines.text, dictionary->lines.size);
  return dictionary;
}

void chy_dictionary_close(chy_dictionary *dictionary) {
  if (dictionary == NULL) return;
  if (dictionary->all != NULL) hnj_hyphen_free(dictionary->all);
  chy_lines_free(&dictionary->lines);
  pthread_mutex_destroy(&dictionary->lock);
  free(dictionary);
}

uint64_t chy_dictionary_checksum(const chy_dictionary *dictionary) { return dictionary->checksum; }

/* Writes a character in UTF-8; returns the number of bytes. */
static size_t write_utf8(char *target, uint32_t code) {
  if (code < 0x80) {
    target[0] = (char)code;
    return 1;
  }
  const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = length - 1; i > 0; i--, code >>= 6) target[i] = (char)(0x80 | (code & 0x3f));
  target[0] = (char)(leads[length] | code);
  return length;
}

/* Writes a character in the dictionary's character set; returns the number of bytes, 0 if the set lacks it. */
static size_t write_character(const chy_dictionary *dictionary, char *target, uint32_t code) {
  if (dictionary->is_utf8 || code < 0x80) return write_utf8(target, code);
  for (int i = 0; i < table_size; i++) {
    if (dictionary->upper[i] != code) continue;
    target[0] = (char)(i + table_size);
    return 1;
  }
  return 0;
}

/* Writes a word in the dictionary's character set, with a 0 behind it; returns the number of bytes, 0 if it cannot be divided. */
static size_t write_word(const chy_dictionary *dictionary, char *target, const uint32_t *word, size_t count) {
  if (count < 2 || count > chy_maximum_length) return 0;
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t written = write_character(dictionary, target + length, word[i]);
    if (written == 0) return 0;
    length += written;
  }
  target[length] = 0;
  return length;
}

static HyphenDict *load(char *text, size_t size) {
  FILE *file = size == 0 ? NULL : fmemopen(text, size, "r");
  if (file == NULL) return NULL;
  HyphenDict *patterns = hnj_hyphen_load_file(file);
  fclose(file);
  return patterns;
}

/* All patterns of a dictionary, which are read once. */
static HyphenDict *all_patterns(chy_dictionary *dictionary) {
  pthread_mutex_lock(&dictionary->lock);
  if (dictionary->all == NULL) dictionary->all = load(dictionary->lines.text, dictionary->lines.size);
  HyphenDict *patterns = dictionary->all;
  pthread_mutex_unlock(&dictionary->lock);
  return patterns;
}

chy_patterns *chy_patterns_open(chy_dictionary *dictionary, const uint32_t *words, const size_t *counts, size_t word_count) {
  chy_patterns *result = calloc(1, sizeof *result);
  if (result == NULL) return NULL;
  chy_selection selection = chy_selection_make(&dictionary->lines);
  selection.needs_all = selection.needs_all || counts == NULL;
  char bytes[chy_maximum_length * 4 + 1];
  for (size_t i = 0; i < word_count && !selection.needs_all; words += counts[i++]) {
    const size_t length = write_word(dictionary, bytes, words, counts[i]);
    if (length > 0) chy_selection_add(&selection, bytes, length);
  }
  size_t size = 0;
  char *text = selection.needs_all ? NULL : chy_selection_text(&selection, &size);
  chy_selection_free(&selection);
  if (text != NULL) result->patterns = load(text, size);
  free(text);
  if (result->patterns == NULL) {
    result->patterns = all_patterns(dictionary);
    result->is_shared = true;
  }
  if (result->patterns != NULL) return result;
  free(result);
  return NULL;
}

void chy_patterns_close(chy_patterns *patterns) {
  if (patterns == NULL) return;
  if (!patterns->is_shared) hnj_hyphen_free(patterns->patterns);
  free(patterns);
}

void chy_patterns_divide(
    const chy_patterns *patterns, const chy_dictionary *dictionary, const uint32_t *word, size_t count, bool *points) {
  memset(points, 0, count * sizeof *points);
  char bytes[chy_maximum_length * 4 + 1], hyphens[chy_maximum_length * 4 + 8] = {0};
  const size_t length = write_word(dictionary, bytes, word, count);
  if (length == 0) return;
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  /* libhyphen doesn't change the patterns, and raises minimums to those of the dictionary. Its numbers are those of characters. */
  const bool is_done = hnj_hyphen_hyphenate3(
                           patterns->patterns, bytes, (int)length, hyphens, NULL, &replacements, &positions, &cuts, 2, 2, 2, 2) == 0;
  for (size_t i = 0; is_done && i + 1 < count; i++) {
    points[i] = hyphens[i] >= '0' && hyphens[i] <= '9' && (hyphens[i] - '0') % 2 == 1 && (replacements == NULL || replacements[i] == NULL);
  }
  for (size_t i = 0; replacements != NULL && i < length; i++) free(replacements[i]);
  free(replacements);
  free(positions);
  free(cuts);
}

static bool is_wanted(const char *name, const char *prefix) {
  const size_t length = strlen(name);
  return strncmp(name, prefix, strlen(prefix)) == 0 && length > 4 && strcmp(name + length - 4, ".dic") == 0;
}

char *chy_first_dictionary(const char *folder, const char *prefix) {
  DIR *directory = opendir(folder);
  if (directory == NULL) return NULL;
  char *first = NULL;
  for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    if (!is_wanted(entry->d_name, prefix) || (first != NULL && strcmp(entry->d_name, first) >= 0)) continue;
    free(first);
    first = strdup(entry->d_name);
  }
  closedir(directory);
  return first;
}
