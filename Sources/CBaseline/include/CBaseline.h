#pragma once
#include <stddef.h>
#include <stdint.h>

// The baseline of benchmarks: the simplest blend of two buffers that compiles to good code. It has no stride, format or rounding rule; it reads two
// operands and writes one, and is limited by memory bandwidth.

/// destination[i] = (first[i] · weight + second[i] · (256 − weight) + 128) >> 8, 8-bit samples; weight 0 … 256.
void baseline_blend_u8(uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t count, uint32_t weight);

/// destination[i] = (first[i] · weight + second[i] · (256 − weight) + 128) >> 8, 16-bit samples; weight 0 … 256.
void baseline_blend_u16(uint16_t *destination, const uint16_t *first, const uint16_t *second, size_t count, uint32_t weight);

/// The blend of 8-bit samples, `passes` times over buffers in the first-level cache, limited by the processor alone. It measures the current speed
/// of the processor, which other programs on the same core reduce even if they don't use memory.
void baseline_blend_cached(size_t passes, uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t count);

/// The sum of all 64-bit words of a buffer, and of the bytes that remain: the least that any function of all of its samples does. Bound by memory.
uint64_t baseline_read(const uint8_t *source, size_t count);

/// Fills samples with noise, base … base + amplitude − 1: seeded, and the same on every machine (SplitMix64; Steele, Lea and Flood 2014).
///
/// Returns the generator's next state. `amplitude` is a power of 2; 16-bit samples are shifted left by `shift`.
uint64_t baseline_noise_u8(uint8_t *destination, size_t count, uint32_t base, uint32_t amplitude, uint64_t state);
uint64_t baseline_noise_u16(
    uint16_t *destination, size_t count, uint32_t base, uint32_t amplitude, uint32_t shift, uint64_t state);
