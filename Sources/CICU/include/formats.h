// Numbers and dates as text, by the locales of ICU.
#pragma once
#include "icu_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether ICU has the language of a tag such as `de-CH` (BCP 47).
bool cicu_has_locale(const char *tag);

/// The number of decimals in which a currency is usually written, such as 2 for EUR; -1 for an unknown code.
int32_t cicu_currency_digits(const char *code);

/// The format of a number. Any number of threads may use it at the same time.
typedef struct cicu_number_format cicu_number_format;

/// Creates a format from one of ICU's number skeletons, such as `currency/EUR .00`; NULL if either is invalid.
cicu_number_format *cicu_number_format_create(const char *tag, const char *skeleton);
void cicu_number_format_destroy(cicu_number_format *format);

/// Writes a number as UTF-8. Returns the number of bytes; 0 if an error occurs or there isn't enough room.
size_t cicu_number_format_write(const cicu_number_format *format, double value, char *text, size_t room);

/// Writes a date and time as UTF-8.
///
/// @param date_style How much there is of the date, and `time_style` of the time: 0 full, 1 long, 2 medium, 3 short, -1 nothing.
/// @param skeleton The fields instead of styles, such as `yMMMMd`; NULL for the styles.
/// @param milliseconds Since 1970-01-01 00:00, without a time zone.
/// @return The number of bytes; 0 if an error occurs or there isn't enough room.
size_t cicu_date_write(
    const char *tag, int32_t date_style, int32_t time_style, const char *skeleton, int64_t milliseconds, char *text, size_t room);

/// Writes the version of ICU, such as 72.1.
void cicu_version(char *text, size_t room);
