// Hyphenation dictionaries, read by libhyphen.
#pragma once
#include "hyphen_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A dictionary. Any number of threads may use it at the same time.
typedef struct chy_dictionary chy_dictionary;

/// Reads a dictionary file; NULL if there is none, if it isn't a dictionary, or if its character set is unknown.
chy_dictionary *chy_dictionary_open(const char *path);

/// Frees everything; NULL is allowed.
void chy_dictionary_close(chy_dictionary *dictionary);

/// A checksum of the file's bytes (FNV-1a, 64 bits).
uint64_t chy_dictionary_checksum(const chy_dictionary *dictionary);

/// The largest number of characters of a word that is divided.
enum { chy_maximum_length = 200 };

/// Patterns of a dictionary by which words are divided. Any number of threads may use them at the same time.
typedef struct chy_patterns chy_patterns;

/// Makes the patterns that some words need, or all. Words are divided as by all patterns of the file; those whose spelling may change at a hyphen need all, which
/// takes libhyphen seconds for large dictionaries. All patterns are made once, and the dictionary must exist as long as they are used.
///
/// @param words Lowercase characters of all words as code points, one word after another.
/// @param counts The number of characters of each word; NULL for all patterns of the dictionary.
/// @return NULL if memory runs out.
chy_patterns *chy_patterns_open(chy_dictionary *dictionary, const uint32_t *words, const size_t *counts, size_t word_count);

/// Frees patterns; NULL is allowed.
void chy_patterns_close(chy_patterns *patterns);

/// Finds where a word may be divided by a hyphen alone: `points[i]` becomes true if it may after the character with index i. Places at which the spelling
/// changes are left out.
///
/// @param word Lowercase characters as code points: one of the words for which the patterns were made.
/// @param points As many as there are characters.
void chy_patterns_divide(
    const chy_patterns *patterns, const chy_dictionary *dictionary, const uint32_t *word, size_t count, bool *points);

/// The name of the alphabetically first file in a folder that begins with `prefix` and ends with ".dic"; NULL if there is none. Must be freed by free().
char *chy_first_dictionary(const char *folder, const char *prefix);
