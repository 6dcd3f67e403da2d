#pragma once
#include "common.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Palettes of 256 colors for animated GIF, by libavfilter. Not thread-safe: one owner.

enum { CFF_PALETTE_SIZE = 256 };

/// Conversion of 8-bit B, G, R, A frames to palette indexes.
typedef struct cff_palette_use {
  /// The palette of all frames, 0xAARRGGBB; NULL to make one for each frame.
  const uint32_t *colors;
  /// The dithering algorithm, by its name in libavfilter.
  const char *dithering;
  /// Whether the palette reserves an entry for transparency.
  bool is_transparent;
} cff_palette_use;

/// Finds the palette of many frames.
typedef struct cff_palette_maker cff_palette_maker;

cff_status cff_palette_maker_create(
    int width, int height, bool is_transparent, cff_palette_maker **maker, cff_failure *failure);

/// Counts the colors of a B, G, R, A frame, which is only read.
cff_status cff_palette_maker_add(
    cff_palette_maker *maker, const uint8_t *pixels, ptrdiff_t stride, cff_failure *failure);

/// The palette of all frames added; nothing can be added afterward.
cff_status cff_palette_maker_finish(
    cff_palette_maker *maker, uint32_t colors[CFF_PALETTE_SIZE], cff_failure *failure);

/// Frees everything. Accepts a pointer to null.
void cff_palette_maker_destroy(cff_palette_maker **maker);
