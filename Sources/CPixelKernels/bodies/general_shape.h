// Coverage of rectangles with rounded corners. Included by every tier.

static inline float general_part(float value) { return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f; }

static void general_rounded_coverage(
    const cpk_general_shape *shape, double u, double v, float *restrict out, ptrdiff_t count) {
  const float ux = shape->ux, uy = shape->uy, vx = shape->vx, vy = shape->vy;
  // The largest change of the position, in the shape's space, from one pixel to the next: along its columns, along its rows.
  const float across = __builtin_sqrtf(ux * ux + uy * uy), down = __builtin_sqrtf(vx * vx + vy * vy);
  const float radius = shape->radius, flatX = shape->halfWidth - radius, flatY = shape->halfHeight - radius;
  for (ptrdiff_t i = 0; i < count; i++) {
    const float x = (float)(u + (double)i * (double)ux - shape->centerX), y = (float)(v + (double)i * (double)vx - shape->centerY);
    const float signX = x < 0.0f ? -1.0f : 1.0f, signY = y < 0.0f ? -1.0f : 1.0f;
    const float p = x * signX - flatX, q = y * signY - flatY;
    // Straight edges: the part of the pixel inside each.
    const float inside = general_part(0.5f + (radius - p) / across) * general_part(0.5f + (radius - q) / down);
    // The corner: along the circle's normal.
    const float length = __builtin_sqrtf(p * p + q * q);
    const float safe = length > 1e-12f ? length : 1e-12f;
    const float nx = p / safe * signX, ny = q / safe * signY;
    const float gx = nx * ux + ny * vx, gy = nx * uy + ny * vy;
    const float slope = __builtin_sqrtf(gx * gx + gy * gy);
    const float round = general_part(0.5f + (radius - length) / (slope > 1e-12f ? slope : 1e-12f));
    out[i] = p > 0.0f && q > 0.0f && radius > 0.0f ? round : inside;
  }
}
