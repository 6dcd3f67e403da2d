#include "tier.h"

#include "bodies/tiles.h"

void cpk_make_warp8_plan(cpk_warp8_plan *plan, int64_t x_by_column, int64_t y_by_column, int64_t x_by_row, int64_t y_by_row,
                         float u_by_column, float v_by_column, float u_by_row, float v_by_row) {
  plan->x_least = plan->y_least = INT32_MAX;
  for (int i = 0; i < tile_samples; i++) {
    const int row = i / tile_side, column = i % tile_side;
    plan->x[i] = to_4096ths(row * x_by_row + column * x_by_column);
    plan->y[i] = to_4096ths(row * y_by_row + column * y_by_column);
    plan->x_least = plan->x[i] < plan->x_least ? plan->x[i] : plan->x_least;
    plan->y_least = plan->y[i] < plan->y_least ? plan->y[i] : plan->y_least;
    plan->u[i] = (float)row * u_by_row + (float)column * u_by_column;
    plan->v[i] = (float)row * v_by_row + (float)column * v_by_column;
  }
}
