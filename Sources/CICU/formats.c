#include "formats.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uclean.h>
#include <unicode/ucurr.h>
#include <unicode/udat.h>
#include <unicode/udatpg.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

enum { locale_size = 160, skeleton_size = 256, text_size = 512 };

struct cicu_number_format {
  UNumberFormatter *formatter;
};

/* ICU's name of a locale; false if the tag isn't one. */
static bool read_tag(const char *tag, char locale[locale_size]) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t parsed = 0;
  uloc_forLanguageTag(tag, locale, locale_size, &parsed, &status);
  return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING && parsed > 0 && (size_t)parsed == strlen(tag);
}

bool cicu_has_locale(const char *tag) {
  char locale[locale_size], language[ULOC_LANG_CAPACITY], own[ULOC_LANG_CAPACITY];
  UErrorCode status = U_ZERO_ERROR;
  if (!read_tag(tag, locale)) return false;
  uloc_getLanguage(locale, language, sizeof language, &status);
  for (int32_t i = 0; U_SUCCESS(status) && i < uloc_countAvailable(); i++) {
    uloc_getLanguage(uloc_getAvailable(i), own, sizeof own, &status);
    if (language[0] != 0 && strcmp(language, own) == 0) return true;
  }
  return false;
}

int32_t cicu_currency_digits(const char *code) {
  UChar currency[4];
  UErrorCode status = U_ZERO_ERROR;
  if (strlen(code) != 3) return -1;
  u_charsToUChars(code, currency, 4);
  if (ucurr_getNumericCode(currency) == 0) return -1;
  const int32_t digits = ucurr_getDefaultFractionDigits(currency, &status);
  return U_SUCCESS(status) ? digits : -1;
}

cicu_number_format *cicu_number_format_create(const char *tag, const char *skeleton) {
  char locale[locale_size];
  UChar wide[skeleton_size];
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  if (!read_tag(tag, locale)) return NULL;
  u_strFromUTF8(wide, skeleton_size, &length, skeleton, -1, &status);
  if (U_FAILURE(status)) return NULL;
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(wide, length, locale, &status);
  cicu_number_format *format = U_SUCCESS(status) ? malloc(sizeof *format) : NULL;
  if (format == NULL) unumf_close(formatter);
  else format->formatter = formatter;
  return format;
}

void cicu_number_format_destroy(cicu_number_format *format) {
  if (format == NULL) return;
  unumf_close(format->formatter);
  free(format);
}

static size_t write_utf8(const UChar *wide, int32_t length, UErrorCode status, char *text, size_t room) {
  int32_t count = 0;
  if (U_FAILURE(status)) return 0;
  u_strToUTF8(text, (int32_t)room, &count, wide, length, &status);
  return U_SUCCESS(status) ? (size_t)count : 0;
}

size_t cicu_number_format_write(const cicu_number_format *format, double value, char *text, size_t room) {
  UErrorCode status = U_ZERO_ERROR;
  UFormattedNumber *result = unumf_openResult(&status);
  unumf_formatDouble(format->formatter, value, result, &status);
  UChar wide[text_size];
  const int32_t length = U_SUCCESS(status) ? unumf_resultToString(result, wide, text_size, &status) : 0;
  unumf_closeResult(result);
  return write_utf8(wide, length, status, text, room);
}

/* The pattern of a locale for the fields of a skeleton; returns its length. */
static int32_t find_pattern(const char *locale, const char *skeleton, UChar pattern[skeleton_size], UErrorCode *status) {
  UChar fields[skeleton_size];
  int32_t length = 0;
  u_strFromUTF8(fields, skeleton_size, &length, skeleton, -1, status);
  UDateTimePatternGenerator *generator = udatpg_open(locale, status);
  if (U_SUCCESS(*status)) length = udatpg_getBestPattern(generator, fields, length, pattern, skeleton_size, status);
  udatpg_close(generator);
  return length;
}

size_t cicu_date_write(
    const char *tag, int32_t date_style, int32_t time_style, const char *skeleton, int64_t milliseconds, char *text, size_t room) {
  char locale[locale_size];
  UChar pattern[skeleton_size] = {0}, wide[text_size];
  int32_t length = 0;
  UErrorCode status = U_ZERO_ERROR;
  static const UChar greenwich[] = {'G', 'M', 'T', 0};
  if (!read_tag(tag, locale)) return 0;
  if (skeleton != NULL) length = find_pattern(locale, skeleton, pattern, &status);
  const UDateFormatStyle date = skeleton != NULL ? UDAT_PATTERN : (UDateFormatStyle)date_style;
  const UDateFormatStyle time = skeleton != NULL ? UDAT_PATTERN : (UDateFormatStyle)time_style;
  if (U_FAILURE(status)) return 0;
  UDateFormat *format = udat_open(time, date, locale, greenwich, 3, pattern, length, &status);
  int32_t count = 0;
  if (U_SUCCESS(status)) count = udat_format(format, (UDate)milliseconds, wide, text_size, NULL, &status);
  udat_close(format);
  return write_utf8(wide, count, status, text, room);
}

void cicu_version(char *text, size_t room) {
  UVersionInfo version;
  char whole[U_MAX_VERSION_STRING_LENGTH];
  u_getVersion(version);
  u_versionToString(version, whole);
  strncpy(text, whole, room - 1);
  text[room - 1] = 0;
}
