#include "dictionary.h"

#include <dirent.h>
#include <hyphen.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { table_size = 128, code_size = 4 };

struct chy_dictionary {
  HyphenDict *patterns;
  uint64_t checksum;
  /* Of a dictionary with an 8-bit character set: the code points of its upper half; 0 for none. */
  uint32_t upper[table_size];
};

/* Names of character sets that dictionaries have of their own. */
static const char *standard_name(const char *name) {
  return strcmp(name, "microsoft-cp1251") == 0 ? "CP1251" : name;
}

static bool read_character_set(chy_dictionary *dictionary) {
  if (dictionary->patterns->utf8) return true;
  const iconv_t converter = iconv_open("UCS-4LE", standard_name(dictionary->patterns->cset));
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

static uint64_t checksum(FILE *file) {
  uint64_t sum = 0xcbf29ce484222325;
  for (int byte = getc(file); byte != EOF; byte = getc(file)) sum = (sum ^ (uint64_t)byte) * 0x100000001b3;
  return sum;
}

chy_dictionary *chy_dictionary_open(const char *path) {
  FILE *file = fopen(path, "rbe");
  if (file == NULL) return NULL;
  chy_dictionary *dictionary = calloc(1, sizeof *dictionary);
  if (dictionary != NULL) {
    dictionary->checksum = checksum(file);
    rewind(file);
    dictionary->patterns = hnj_hyphen_load_file(file);
  }
  fclose(file);
  if (dictionary != NULL && dictionary->patterns != NULL && read_character_set(dictionary)) return dictionary;
  chy_dictionary_close(dictionary);
  return NULL;
}

void chy_dictionary_close(chy_dictionary *dictionary) {
  if (dictionary == NULL) return;
  if (dictionary->patterns != NULL) hnj_hyphen_free(dictionary->patterns);
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
  if (dictionary->patterns->utf8 || code < 0x80) return write_utf8(target, code);
  for (int i = 0; i < table_size; i++) {
    if (dictionary->upper[i] != code) continue;
    target[0] = (char)(i + table_size);
    return 1;
  }
  return 0;
}

void chy_dictionary_divide(const chy_dictionary *dictionary, const uint32_t *word, size_t count, bool *points) {
  memset(points, 0, count * sizeof *points);
  if (count < 2 || count > chy_maximum_length) return;
  char bytes[chy_maximum_length * 4 + 1], hyphens[chy_maximum_length * 4 + 8] = {0};
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t written = write_character(dictionary, bytes + length, word[i]);
    if (written == 0) return;
    length += written;
  }
  bytes[length] = 0;
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  /* libhyphen doesn't change the dictionary, and raises minimums to those of the dictionary. Its numbers are those of characters. */
  const bool is_done = hnj_hyphen_hyphenate3(
                           dictionary->patterns, bytes, (int)length, hyphens, NULL, &replacements, &positions, &cuts, 2, 2, 2, 2) == 0;
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
