#include "profile.h"

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The maximum size of an allocation, whatever size a profile states for its tables. Real tables take a few megabytes.
enum { text_size = 128, largest_block = 64 << 20 };

struct clcms_profile {
  cmsContext context;
  cmsHPROFILE handle;
  clcms_space space;
  char message[text_size];
};

struct clcms_conversion {
  cmsContext context;
  cmsHTRANSFORM transform;
  clcms_layout layout;
  clcms_space space;
  /// A buffer for colors divided by alpha.
  uint16_t *plain;
  size_t plain_count;
};

// MARK: memory and messages

static void *take_block(cmsContext context, cmsUInt32Number size) {
  (void)context;
  return size > 0 && size <= largest_block ? malloc(size) : NULL;
}

static void *change_block(cmsContext context, void *block, cmsUInt32Number size) {
  (void)context;
  return size > 0 && size <= largest_block ? realloc(block, size) : NULL;
}

static void give_block(cmsContext context, void *block) {
  (void)context;
  free(block);
}

static cmsPluginMemHandler memory = {
    {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL}, take_block, give_block, change_block, NULL, NULL, NULL};

static void on_error(cmsContext context, cmsUInt32Number code, const char *text) {
  (void)code;
  char *message = cmsGetContextUserData(context);
  // The first message states the cause; the others follow from it.
  if (message && message[0] == 0) snprintf(message, text_size, "%s", text);
}

static clcms_profile *new_profile(void) {
  clcms_profile *profile = calloc(1, sizeof *profile);
  if (!profile) return NULL;
  profile->context = cmsCreateContext(&memory, profile->message);
  if (!profile->context) {
    free(profile);
    return NULL;
  }
  cmsSetLogErrorHandlerTHR(profile->context, on_error);
  return profile;
}

void clcms_close(clcms_profile *profile) {
  if (!profile) return;
  if (profile->handle) cmsCloseProfile(profile->handle);
  cmsDeleteContext(profile->context);
  free(profile);
}

static clcms_status refuse(clcms_profile *profile, clcms_status status, const char *text, char *message) {
  const char *reason = profile && profile->message[0] ? profile->message : text;
  snprintf(message, text_size, "%s", reason);
  clcms_close(profile);
  return status;
}

// MARK: profiles

static bool has_use(cmsHPROFILE handle) {
  cmsProfileClassSignature kind = cmsGetDeviceClass(handle);
  bool is_device = kind == cmsSigInputClass || kind == cmsSigDisplayClass || kind == cmsSigOutputClass ||
                   kind == cmsSigColorSpaceClass;
  cmsColorSpaceSignature connection = cmsGetPCS(handle);
  return is_device && (connection == cmsSigXYZData || connection == cmsSigLabData);
}

static bool take_space(clcms_profile *profile) {
  switch (cmsGetColorSpace(profile->handle)) {
  case cmsSigGrayData: profile->space = CLCMS_GRAY; return true;
  case cmsSigRgbData: profile->space = CLCMS_RGB; return true;
  case cmsSigCmykData: profile->space = CLCMS_CMYK; return true;
  default: return false;
  }
}

clcms_status clcms_open(
    const uint8_t *bytes, size_t count, clcms_profile **result, clcms_space *space, char *name, char *message) {
  *result = NULL;
  name[0] = message[0] = 0;
  if (count > largest_block) return refuse(NULL, CLCMS_DAMAGED, "it is too long", message);
  clcms_profile *profile = new_profile();
  if (!profile) return CLCMS_NO_MEMORY;
  profile->handle = cmsOpenProfileFromMemTHR(profile->context, bytes, (cmsUInt32Number)count);
  if (!profile->handle) return refuse(profile, CLCMS_DAMAGED, "it is not a profile", message);
  if (!take_space(profile) || !has_use(profile->handle)) {
    return refuse(profile, CLCMS_UNUSABLE, "it does not define the color of gray, R, G, B or C, M, Y, K values", message);
  }
  cmsGetProfileInfoASCII(profile->handle, cmsInfoDescription, "en", "US", name, text_size);
  name[text_size - 1] = 0;
  profile->message[0] = 0;
  *space = profile->space;
  *result = profile;
  return CLCMS_OK;
}

/// The sRGB curve (IEC 61966-2-1).
static cmsToneCurve *srgb_curve(cmsContext context) {
  const cmsFloat64Number parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return cmsBuildParametricToneCurve(context, 4, parameters);
}

/// An R, G, B profile with the same curve for all components. This function frees the curve.
static cmsHPROFILE make_rgb(cmsContext context, const double c[8], cmsToneCurve *curve) {
  if (!curve) return NULL;
  cmsCIExyY white = {c[0], c[1], 1};
  cmsCIExyYTRIPLE primaries = {{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
  cmsToneCurve *curves[3] = {curve, curve, curve};
  cmsHPROFILE handle = cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
  cmsFreeToneCurve(curve);
  return handle;
}

clcms_status clcms_make(const double chromaticities[8], double gamma, clcms_profile **result, char *message) {
  *result = NULL;
  message[0] = 0;
  for (int i = 0; i < 8; i++) {
    if (!(chromaticities[i] >= 0 && chromaticities[i] <= 1)) {
      return refuse(NULL, CLCMS_DAMAGED, "its chromaticities are not valid", message);
    }
  }
  if (gamma != 0 && !(gamma >= 0.1 && gamma <= 10)) return refuse(NULL, CLCMS_DAMAGED, "its exponent is out of range", message);
  clcms_profile *profile = new_profile();
  if (!profile) return CLCMS_NO_MEMORY;
  profile->space = CLCMS_RGB;
  profile->handle = make_rgb(
      profile->context, chromaticities,
      gamma == 0 ? srgb_curve(profile->context) : cmsBuildGamma(profile->context, gamma));
  if (!profile->handle) return refuse(profile, CLCMS_DAMAGED, "its chromaticities do not span a gamut", message);
  *result = profile;
  return CLCMS_OK;
}

// MARK: light

static const cmsUInt32Number rules = cmsFLAGS_BLACKPOINTCOMPENSATION;

static cmsUInt32Number color_space(clcms_space space) {
  return space == CLCMS_GRAY ? PT_GRAY : space == CLCMS_RGB ? PT_RGB : PT_CMYK;
}

clcms_status clcms_measure(
    clcms_profile *profile, const double chromaticities[8], const double *signals, double *light, size_t count) {
  cmsHPROFILE target = make_rgb(profile->context, chromaticities, cmsBuildGamma(profile->context, 1));
  if (!target) return CLCMS_NO_MEMORY;
  cmsUInt32Number format =
      FLOAT_SH(1) | COLORSPACE_SH(color_space(profile->space)) | CHANNELS_SH((cmsUInt32Number)profile->space) | BYTES_SH(0);
  cmsHTRANSFORM transform = cmsCreateTransformTHR(
      profile->context, profile->handle, format, target, TYPE_RGB_DBL, INTENT_RELATIVE_COLORIMETRIC,
      rules | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
  cmsCloseProfile(target);
  if (!transform) return CLCMS_UNUSABLE;
  // Little CMS expresses amounts of ink in percent.
  double scale = profile->space == CLCMS_CMYK ? 100 : 1;
  for (size_t i = 0; i < count; i++) {
    double signal[4] = {0};
    for (size_t c = 0; c < (size_t)profile->space; c++) signal[c] = scale * signals[i * (size_t)profile->space + c];
    cmsDoTransform(transform, signal, light + 3 * i, 1);
  }
  cmsDeleteTransform(transform);
  return CLCMS_OK;
}

// MARK: images

clcms_status clcms_conversion_open(
    clcms_profile *profile, const double chromaticities[8], const clcms_layout *layout, clcms_conversion **result) {
  *result = NULL;
  clcms_conversion *conversion = calloc(1, sizeof *conversion);
  if (!conversion) return CLCMS_NO_MEMORY;
  conversion->layout = *layout;
  conversion->space = profile->space;
  conversion->context = cmsCreateContext(&memory, NULL);
  cmsHPROFILE target = conversion->context ? make_rgb(conversion->context, chromaticities, srgb_curve(conversion->context)) : NULL;
  cmsUInt32Number count = (cmsUInt32Number)profile->space;
  cmsUInt32Number width = layout->is_premultiplied ? 2 : (cmsUInt32Number)layout->bytes_per_sample;
  cmsUInt32Number format = COLORSPACE_SH(color_space(profile->space)) | CHANNELS_SH(count) | EXTRA_SH(4 - count) |
                           BYTES_SH(width) | FLAVOR_SH(layout->is_inverted ? 1u : 0u);
  // Little CMS would replace 16-bit and gray curves, and a profile's own tables, with a coarse table.
  bool is_plain = width == 1 && profile->space == CLCMS_RGB && cmsIsMatrixShaper(profile->handle);
  if (target) {
    conversion->transform = cmsCreateTransformTHR(
        conversion->context, profile->handle, format, target,
        COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(1) | BYTES_SH(2), INTENT_RELATIVE_COLORIMETRIC,
        rules | (is_plain ? 0u : (cmsUInt32Number)cmsFLAGS_NOOPTIMIZE));
    cmsCloseProfile(target);
  }
  if (!conversion->transform) {
    clcms_conversion_close(conversion);
    return CLCMS_UNUSABLE;
  }
  *result = conversion;
  return CLCMS_OK;
}

static uint32_t sample(const clcms_conversion *conversion, const void *source, size_t index) {
  if (conversion->layout.bytes_per_sample == 1) return ((const uint8_t *)source)[index] * 257u;
  return ((const uint16_t *)source)[index];
}

/// Color divided by alpha, in 16 bits.
static const void *divide(clcms_conversion *conversion, const void *source, size_t count) {
  if (conversion->plain_count < count) {
    uint16_t *larger = realloc(conversion->plain, count * 4 * sizeof *larger);
    if (!larger) return NULL;
    conversion->plain = larger;
    conversion->plain_count = count;
  }
  for (size_t i = 0; i < 4 * count; i++) {
    uint32_t alpha = sample(conversion, source, i | 3), value = sample(conversion, source, i);
    uint32_t plain = alpha == 0 ? 0 : (value * 65535u + alpha / 2) / alpha;
    conversion->plain[i] = (uint16_t)(plain > 65535 ? 65535 : plain);
  }
  return conversion->plain;
}

bool clcms_convert(clcms_conversion *conversion, const void *source, uint16_t *target, size_t count) {
  const void *plain = conversion->layout.is_premultiplied ? divide(conversion, source, count) : source;
  if (!plain) return false;
  cmsDoTransform(conversion->transform, plain, target, (cmsUInt32Number)count);
  bool has_alpha = conversion->space != CLCMS_CMYK;
  for (size_t i = 0; i < count; i++) {
    target[4 * i + 3] = has_alpha ? (uint16_t)sample(conversion, source, 4 * i + 3) : 65535;
  }
  return true;
}

void clcms_conversion_close(clcms_conversion *conversion) {
  if (!conversion) return;
  if (conversion->transform) cmsDeleteTransform(conversion->transform);
  if (conversion->context) cmsDeleteContext(conversion->context);
  free(conversion->plain);
  free(conversion);
}

// MARK: writing

/// The header's creation date, which is set to a constant so that equal profiles have equal bytes.
enum { date_offset = 24, date_size = 12 };
static const uint8_t fixed_date[date_size] = {0x07, 0xd0, 0, 1, 0, 1};

size_t clcms_save(clcms_profile *profile, const char *name, uint8_t *bytes, size_t capacity) {
  cmsMLU *description = cmsMLUalloc(profile->context, 1);
  if (!description) return 0;
  bool is_named = cmsMLUsetASCII(description, "en", "US", name) &&
                  cmsWriteTag(profile->handle, cmsSigProfileDescriptionTag, description);
  cmsMLUfree(description);
  cmsUInt32Number count = bytes ? (cmsUInt32Number)capacity : 0;
  if (!is_named || !cmsSaveProfileToMem(profile->handle, bytes, &count)) return 0;
  if (bytes && count >= date_offset + date_size) memcpy(bytes + date_offset, fixed_date, date_size);
  return count;
}
