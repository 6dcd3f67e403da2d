#pragma once
#include <stddef.h>
#include <stdint.h>

// What benchmarks are measured against: the simplest blend of two buffers that a compiler turns into good code. It knows no
// stride, no format and no rounding rule; it reads two operands, writes one, and is bound by memory.

/// destination[i] = (first[i] · weight + second[i] · (256 − weight) + 128) >> 8, 8-bit samples; weight 0 … 256.
void baseline_blend_u8(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t count, uint32_t weight);

/// destination[i] = (first[i] · weight + second[i] · (256 − weight) + 128) >> 8, 16-bit samples; weight 0 … 256.
void baseline_blend_u16(uint16_t *destination, const uint16_t *first, const uint16_t *second, size_t count, uint32_t weight);
