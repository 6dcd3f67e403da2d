// Calls one kernel for a number of samples, made from the loops that all tiers share or from the NEON tier's own: an emulator that counts
// instructions runs it twice, and the difference is what samples take. Not part of the driver.
#include <stdio.h>
#include <stdlib.h>

#include "tier.h"

#define cpk_plain shared_loops
static const cpk_kernels *shared_loops(void);
#include "plain.c"

enum { most = 4096 };
static float a[most], b[most], c[most], nodes[2 * CPK_CONVERT_CURVE_NODE_COUNT];
static uint8_t picture[256 * 256], plane[8 * 256];

static void run_warp(const cpk_kernels *kernels, size_t count, int32_t weight, int32_t is_covered) {
  const int64_t one = (int64_t)1 << 32, x = one * 9 / 10, y = one / 3;
  cpk_warp8_plan plan;
  cpk_make_warp8_plan(&plan, x, y, -y, x, 0.9f, 0.33f, -0.33f, 0.9f);
  const cpk_warp8_band band = {
    .dst = plane, .dst_stride = 256, .columns = count / 8, .rows = 8, .src = picture, .src_stride = 256, .x_max = 239, .y_max = 239,
    .x = 20 * one, .y = 30 * one, .x_step = x, .y_step = y, .weight = weight, .is_covered = is_covered, .left = -3, .right = 77,
    .top = 1, .bottom = 40, .u_step = 0.9f, .v_step = 0.33f};
  kernels->warp8(&plan, &band);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4) return 64;
  const cpk_kernels *kernels = strcmp(arguments[1], "own") ? shared_loops() : cpk_fastest();
  const char *kernel = arguments[2];
  const size_t count = (size_t)atoi(arguments[3]);
  const float weights[9] = {0.6f, 0.3f, 0.1f, 0, 1, 0, 0.1f, 0, 0.9f};
  const cpk_light_curve curve = {.scale = 0.8f, .bias = 0.0625f, .low = 0.0625f, .high = 0.99f, .shift = 20, .is_odd = true};
  for (int i = 0; i < most; i++) a[i] = b[i] = c[i] = (float)i / most;
  if (!strcmp(kernel, "light_curve")) kernels->light_curve(a, count, &curve);
  else if (!strcmp(kernel, "light_matrix")) kernels->light_matrix(a, b, c, count, weights, &curve);
  else if (!strcmp(kernel, "light_factor")) kernels->light_factor(a, b, c, count, weights, &curve);
  else if (!strcmp(kernel, "convert_curve")) kernels->convert_curve(a, (ptrdiff_t)count, nodes);
  else if (!strcmp(kernel, "convert_factor")) kernels->convert_factor(a, b, c, (ptrdiff_t)count, weights, nodes);
  else if (!strcmp(kernel, "warp8")) run_warp(kernels, count, 32768, 1);
  else if (!strcmp(kernel, "warp8-edges")) run_warp(kernels, count, 20000, 0);
  else return 64;
  return 0;
}
